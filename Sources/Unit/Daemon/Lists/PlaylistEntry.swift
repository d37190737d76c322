internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

// Conversions between entries of playlists, songs of the library and files of the player.
extension OwnPlaylist.Entry {
  /// Creates an entry of a playlist from a file of the player.
  init(_ file: MusicFile) {
    self.init(
      file.reference, root: FileName.bytes(file.volume?.path ?? ""), title: file.title ?? "",
      artist: file.artist ?? "", album: file.album ?? "",
      duration: file.declaredTime)
  }

  /// Creates an entry of a playlist from a song of the library.
  init(_ track: LibraryTrack, _ volumes: PresentVolumes) {
    self.init(
      track.reference,
      root: FileName.bytes(volumes.volume(track.reference.volume).path ?? ""), title: track.title,
      artist: track.artist ?? "", album: track.album ?? "",
      duration: SongTime(milliseconds: track.milliseconds) ?? .zero)
  }

  /// The title to show. If the entry has no title, this is the name of the file without its suffix.
  var shownTitle: String {
    if !title.isEmpty { return title }
    let path = reference.path
    return FileName.withoutSuffix(path.split(separator: 0x2F).last ?? path[...])
  }

  /// Returns the entry with its volume. An entry that another program has written contains only an absolute path; its
  /// volume is found by this path.
  func located(_ volumes: PresentVolumes) -> Self {
    guard reference.volume.isEmpty, let song = volumes.song(at: reference.path) else { return self }
    var entry = self
    entry.reference = song
    return entry
  }

  /// The entry as a song for the queue.
  var track: LibraryTrack {
    LibraryTrack(
      reference, title: shownTitle, artist: artist.isEmpty ? nil : artist,
      album: album.isEmpty ? nil : album, milliseconds: Int64(duration.milliseconds))
  }
}

extension MusicFile {
  /// The reference by which the library and the saved lists identify this file.
  var reference: SongReference {
    SongReference(volume: volume?.identity ?? "", path: FileName.bytes(pathInVolume))
  }

  /// The duration that the header of the file states. Zero if it is unknown, or if it is outside the range of
  /// ``SongTime``.
  var declaredTime: SongTime { declaredSeconds.flatMap { SongTime(seconds: $0) } ?? .zero }
}
