internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

// The file of the last run, if it was renamed or moved.
extension MusicFolders {
  /// The song that waits for its medium. Nil if none waits.
  var awaitedSong: SongReference? {
    guard !isFinderBusy, let location = resumption.lastRun?.file ?? resumption.lost?.location else {
      return nil
    }
    if let song = location.reference { return song }
    let path = FileName.text(location.path)
    guard let slash = path.unicodeScalars.lastIndex(of: "/"),
      let volume = mounted.present.volume(containing: String(path[..<slash])),
      let root = volume.path
    else { return nil }
    return SongReference(
      volume: volume.identity, path: Array(location.path.dropFirst(root.utf8.count + 1)))
  }

  /// The position of the last run, while its file waits for its medium.
  var awaitedPosition: RecentListSaver.Awaited? {
    guard let lastRun = resumption.lastRun, let song = awaitedSong else { return nil }
    return RecentListSaver.Awaited(song: song, elapsed: lastRun.elapsed)
  }

  /// The file that waits was moved.
  func awaitedFileMoved(to track: LibraryTrack) {
    guard let root = mounted.present.volume(track.reference.volume).path,
      let location = location(of: "\(root)/\(FileName.text(track.reference.path))")
    else { return }
    resumption.move(to: location)
    start()
  }
}
