internal import EventLoop
package import LibraryModel

extension ControlClient {
  /// Reads what is doubtful in the tags and playlists of the library.
  /// `ControlClient+Calls.swift` states when a completion is called.
  @discardableResult
  package func doubts(_ completion: @escaping Completion<LibraryDoubts>) -> Ticket? {
    call(ControlInterface.library, "GetDoubts", [], then: completion) { values in
      LibraryCoding.doubts(values[0])
    }
  }
}
