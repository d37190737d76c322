internal import MusicFiles
internal import NowPlaying

/// A move to another folder.
public enum FolderStep: Hashable, Sendable {
  case next, previous
}

// Albums and folders. The files are in their unshuffled order: shuffle has no effect here.
extension LocalPlayer {
  /// The entries of the same album and folder, but at most `limit` entries.
  func album(of file: MusicFile, limit: Int) -> [Entry] {
    Array(queue.entries.lazy.filter { $0.item.isOfAlbum(of: file) }.prefix(limit))
  }

  /// Plays the first file of the next or previous album in the playing order. Returns false if the queue has no
  /// other album there.
  public func moveToAlbum(_ step: FolderStep, paused: Bool = false) -> Bool {
    let entries = queue.playingOrder
    guard let current = queue.current, let index = queue.index(of: current.id) else { return false }
    func isOther(_ entry: Entry) -> Bool {
      !entry.item.isOfAlbum(of: current.item) && !entry.item.isAbsent
    }
    switch step {
    case .next:
      return entries[(index + 1)...].first(where: isOther).map {
        play(entry: $0.id, paused: paused)
      } ?? false
    case .previous:
      guard let last = entries[..<index].last(where: isOther) else { return false }
      let album = entries[..<index].reversed().drop { $0.id != last.id }
        .prefix { $0.item.isOfAlbum(of: last.item) }
      return album.last { !$0.item.isAbsent }.map { play(entry: $0.id, paused: paused) } ?? false
    }
  }

  /// Plays the first file of the next or previous folder. Returns false if there is no such folder.
  public func moveToFolder(_ step: FolderStep, paused: Bool = false) -> Bool {
    let files = queue.entries.map(\.item)
    guard let current = state.file else { return false }
    let path = current.path
    guard let index = files.firstIndex(where: { $0.isAt(path) }) else { return false }
    let directory = current.directory
    let target: MusicFile?
    switch step {
    case .next: target = files[index...].first { $0.directory != directory }
    case .previous:
      let before = files[..<index].last { $0.directory != directory }?.directory
      target = before.flatMap { before in files.first { $0.directory == before } }
    }
    return target.map { play(path: $0.path, paused: paused) } ?? false
  }
}
