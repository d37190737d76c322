internal import EventLoop
package import LibraryModel

// Calls about the playlists of the unit. `ControlClient+Calls.swift` states when a completion is called.
extension ControlClient {
  /// Saves the queue as a list.
  @discardableResult
  package func savePlaylist(_ name: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    change("SavePlaylist", [name], completion)
  }

  /// Adds songs to a list. Nil for what plays.
  @discardableResult
  package func addToPlaylist(
    _ name: String, _ list: TrackList?, row: RowReference? = nil,
    _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    change("AddToPlaylist", [name, list?.text ?? "", row?.identifier ?? ""], completion)
  }

  /// Removes a song from a list.
  @discardableResult
  package func removeFromPlaylist(
    _ name: String, row: RowReference, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    change("RemoveFromPlaylist", [name, row.identifier], completion)
  }

  /// Gives a list another name.
  @discardableResult
  package func renamePlaylist(
    _ name: String, to new: String, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    change("RenamePlaylist", [name, new], completion)
  }

  /// Removes a list.
  @discardableResult
  package func deletePlaylist(_ name: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    change("DeletePlaylist", [name], completion)
  }

  private func change(
    _ method: String, _ arguments: [String], _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.library, method, arguments.map { .string($0) }, timeout: .seconds(10),
      then: completion
    ) { _ in }
  }
}
