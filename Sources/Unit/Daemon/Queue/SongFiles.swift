internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

/// Converts the songs of a list to files of the player while the songs arrive. So a long list is never in memory both
/// as songs and as files. Used on the control thread.
final class SongFiles {
  private let mounted: MountedVolumes
  private let excluded: Set<UInt64>
  private var list = MusicFileList()
  /// Number of received songs that were excluded.
  private(set) var excludedCount = 0
  /// Number of received songs, including the excluded songs.
  private(set) var count = 0
  /// The index of the last song that is not excluded and whose volume is present.
  private(set) var lastPresent: Int?

  /// - Parameter excluded: the keys of the songs to exclude.
  init(_ mounted: MountedVolumes, except excluded: Set<UInt64> = []) {
    self.mounted = mounted
    self.excluded = excluded
  }

  /// Receives a part of a list.
  func receive(_ part: TrackBatch, isFirst: Bool) { receive(part.tracks, isFirst: isFirst) }

  /// Receives the next songs of the list. If `isFirst` is true, forgets the songs that were received before.
  func receive(_ songs: [LibraryTrack], isFirst: Bool) {
    if isFirst {
      list = MusicFileList()
      (excludedCount, count, lastPresent) = (0, 0, nil)
    }
    let volumes = mounted.present
    for song in songs {
      defer { count += 1 }
      if !excluded.isEmpty, excluded.contains(song.reference.key) {
        excludedCount += 1
        continue
      }
      let volume = volumes.volume(song.reference.volume)
      if volume.path != nil { lastPresent = count }
      list.add(
        volume, path: FileName.text(song.reference.path),
        title: song.title, artist: song.artist, album: song.album,
        seconds: song.milliseconds == 0 ? nil : Double(song.milliseconds) / 1000,
        stamp: song.stamp, numberInAlbum: song.numberInAlbum)
    }
  }

  /// Returns the files of the songs received since the last call, with paths that contain the present mount points.
  func files() -> [MusicFile] {
    let volumes = mounted.present
    var moves = MusicFileMoves()
    // The files are changed in place, so that a long list is in memory only once.
    var files = list.take()
    for index in files.indices {
      if let moved = moves.moved(files[index], to: volumes.volume) { files[index] = moved }
    }
    return files
  }
}
