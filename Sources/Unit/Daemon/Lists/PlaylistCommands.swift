internal import Control
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import UnitState

/// Carries out commands of the control socket for the playlists of the unit.
final class PlaylistCommands: ControlledPlaylists {
  private let lists: UnitLists
  private let player: LocalPlayer
  private var playlists: UnitPlaylists { lists.playlists }

  init(_ lists: UnitLists, _ player: LocalPlayer) {
    self.lists = lists
    self.player = player
  }

  func saveQueue(as name: String, completion: @escaping (Refusal?) -> Void) {
    let entries = player.queue.playingOrder(0..<player.queue.count).map {
      OwnPlaylist.Entry($0.item)
    }
    guard !entries.isEmpty else {
      return completion(Refusal(.noSuchContent, "the queue is empty"))
    }
    let origin: Int64? =
      if case .own(let id)? = player.context.flatMap({ LibraryNode(text: $0.list) }) {
        id
      } else {
        nil
      }
    playlists.change(
      { store throws(PlaylistFailure) in
        try store.save(entries, as: name, replacing: origin)
      }, completion)
  }

  func add(
    _ list: TrackList?, row: RowReference?, to name: String, again: Bool,
    completion: @escaping (Refusal?) -> Void
  ) {
    guard let list else {
      guard let file = player.state.file else {
        return completion(Refusal(.nothingPlaying, "nothing plays"))
      }
      return add([OwnPlaylist.Entry(file)], to: name, again, completion)
    }
    var entries: [OwnPlaylist.Entry] = []
    lists.songs(list, row: row, isAlone: row?.kind == .song) { part, isFirst in
      if isFirst { entries = [] }
      entries += part.tracks.map { OwnPlaylist.Entry($0, self.playlists.mounted.present) }
    } completion: { result in
      switch result {
      case .failure(let failure): completion(Refusal(failure))
      case .success where entries.isEmpty:
        completion(Refusal(.noSuchContent, "there are no songs to add"))
      case .success: self.add(entries, to: name, again, completion)
      }
    }
  }

  private func add(
    _ entries: [OwnPlaylist.Entry], to name: String, _ again: Bool,
    _ completion: @escaping (Refusal?) -> Void
  ) {
    playlists.change(
      { store throws(PlaylistFailure) in try store.add(entries, to: name, again: again) },
      completion)
  }

  func remove(
    _ row: RowReference, from name: String, completion: @escaping (Refusal?) -> Void
  ) {
    playlists.change(
      { store throws(PlaylistFailure) in try store.remove(row.id, from: name) }, completion)
  }

  func rename(_ name: String, to new: String, completion: @escaping (Refusal?) -> Void) {
    playlists.change(
      { store throws(PlaylistFailure) in try store.rename(name, to: new) }, completion)
  }

  func delete(_ name: String, completion: @escaping (Refusal?) -> Void) {
    playlists.change({ store throws(PlaylistFailure) in try store.delete(name) }, completion)
  }
}
