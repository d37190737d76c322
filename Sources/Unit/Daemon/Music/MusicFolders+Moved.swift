internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

// The file of the last run, if it was renamed or moved.
extension MusicFolders {
  /// The place of the file that waits for its medium. Nil if no file waits.
  var awaitedPlace: MovedFileSearch.Place? {
    guard !isFinderBusy, let place = resumption.lastRun?.file ?? resumption.lost?.place else {
      return nil
    }
    if let stick = place.stick {
      return MovedFileSearch.Place(
        volume: stick.identity, path: Array(place.path.dropFirst(stick.pointBytes + 1)))
    }
    let path = FileName.text(place.path)
    guard let slash = path.unicodeScalars.lastIndex(of: "/"),
      let volume = mounted.present.place(containing: String(path[..<slash])),
      let root = volume.path
    else { return nil }
    return MovedFileSearch.Place(
      volume: volume.identity, path: Array(place.path.dropFirst(root.utf8.count + 1)))
  }

  /// The position of the last run, while its file waits for its medium.
  var awaitedPosition: RecentPlaces.Awaited? {
    guard let lastRun = resumption.lastRun, let place = awaitedPlace else { return nil }
    return RecentPlaces.Awaited(file: place, elapsed: lastRun.elapsed)
  }

  /// The file that waits is at another place now.
  func awaitedFileMoved(to track: LibraryTrack) {
    guard let root = mounted.present.place(of: track.volume).path,
      let place = place(of: "\(root)/\(FileName.text(track.path))")
    else { return }
    resumption.move(to: place)
    start()
  }
}
