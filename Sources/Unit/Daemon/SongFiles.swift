internal import Files
internal import LibraryModel
internal import MusicFiles

/// Makes files of the songs of a list while the songs arrive, so that the songs and the files are never in memory
/// together. Used on the control thread.
final class SongFiles {
  private let volumes: () -> PresentVolumes
  private var list = MusicFileList()

  /// - Parameter volumes: the volumes that are present now.
  init(_ volumes: @escaping () -> PresentVolumes) { self.volumes = volumes }

  /// Takes songs that follow those before, or the first songs.
  func take(_ songs: [LibraryTrack], isFirst: Bool) {
    if isFirst { list = MusicFileList() }
    let volumes = volumes()
    for song in songs {
      list.add(
        volumes.place(of: song.volume), path: FileName.text(song.path),
        title: song.title, artist: song.artist, album: song.album,
        seconds: song.milliseconds == 0 ? nil : Double(song.milliseconds) / 1000)
    }
  }

  /// All files, each at the present place of its volume.
  func files() -> [MusicFile] {
    let volumes = volumes()
    var moves = MusicFileMoves()
    return list.take().map { moves.moved($0, to: volumes.place) ?? $0 }
  }
}
