internal import EventLoop
internal import Files
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying

// Files of the queue that were renamed or moved.
extension UnitQueue {
  /// The places of files of a chosen queue. Empty behind its end.
  func places(_ range: Range<Int>) -> [MovedFileSearch.Place] {
    guard !isFree else { return [] }
    return unit.player.queue.playingOrder(range).map { Self.place(of: $0.item) }
  }

  /// Replaces files that are at other places now. Returns false if one of them plays, which stays as it is.
  func take(_ moved: [MovedFileSearch.Place: LibraryTrack]) -> Bool {
    let songs = SongFiles { [volumes] in volumes }
    songs.take(moved.map(\.value), isFirst: true)
    let files = Dictionary(uniqueKeysWithValues: zip(moved.keys, songs.files()))
    unit.player.replace { files[Self.place(of: $0)] }
    turns.request()
    guard !unit.player.state.isStopped, let playing = unit.player.queue.current else { return true }
    return files[Self.place(of: playing.item)] == nil
  }

  private static func place(of file: MusicFile) -> MovedFileSearch.Place {
    MovedFileSearch.Place(
      volume: file.volume?.identity ?? "", path: FileName.bytes(file.pathInVolume))
  }
}
