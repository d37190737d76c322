internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

// The file of the last run, if it was renamed or moved.
extension MusicFolders {
  /// The place of the file that waits for its medium. Nil if no file waits.
  var awaitedPlace: MovedFileSearch.Place? {
    isFinderBusy ? nil : resumption.awaitedPlace(mounted.present)
  }

  /// The file that waits is at another place now.
  func takeAwaited(at track: LibraryTrack) {
    guard let root = mounted.present.place(of: track.volume).path,
      let place = place(of: "\(root)/\(FileName.text(track.path))")
    else { return }
    resumption.move(to: place)
    start()
  }
}
