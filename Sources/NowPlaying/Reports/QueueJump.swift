/// A jump of the local player to other music.
package enum QueueJump: Hashable, Sendable {
  case nextAlbum, previousAlbum, nextFolder, previousFolder, nextPlaylist, previousPlaylist

  /// False for a jump backwards.
  package var isNext: Bool {
    switch self {
    case .nextAlbum, .nextFolder, .nextPlaylist: true
    case .previousAlbum, .previousFolder, .previousPlaylist: false
    }
  }
}
