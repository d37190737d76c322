internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

// The file of the last run, if it was renamed or moved.
extension MusicFolders {
  /// The place of the file that waits for its medium. Nil if no file waits.
  var awaitedPlace: MovedFileSearch.Place? {
    guard !isFinderBusy, let place = pending?.file ?? lost?.place else { return nil }
    if let stick = place.stick {
      return MovedFileSearch.Place(
        volume: stick.identity, path: Array(place.path.dropFirst(stick.pointBytes + 1)))
    }
    let path = FileName.text(place.path)
    guard let slash = path.unicodeScalars.lastIndex(of: "/"),
      let volume = queue.volumes.place(containing: String(path[..<slash])), let root = volume.path
    else { return nil }
    return MovedFileSearch.Place(
      volume: volume.identity, path: Array(place.path.dropFirst(root.utf8.count + 1)))
  }

  /// The place of the last run, while its file waits for its medium.
  var awaitedPosition: RecentPlaces.Awaited? {
    guard let pending, let place = awaitedPlace else { return nil }
    return RecentPlaces.Awaited(file: place, elapsed: pending.elapsed)
  }

  /// The file that waits is at another place now.
  func takeAwaited(at track: LibraryTrack) {
    guard let root = queue.volumes.place(of: track.volume).path,
      let place = place(of: "\(root)/\(FileName.text(track.path))")
    else { return }
    if pending != nil { pending?.file = place } else { lost?.place = place }
    start()
  }
}
