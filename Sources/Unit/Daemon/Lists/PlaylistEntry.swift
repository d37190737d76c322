internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

// Entries of playlists, songs of the library and files of the player have the same facts.
extension OwnPlaylist.Entry {
  /// A file of the player.
  init(_ file: MusicFile) {
    self.init(
      file.reference, root: FileName.bytes(file.volume?.path ?? ""), title: file.title ?? "",
      artist: file.artist ?? "", album: file.album ?? "",
      duration: file.declaredTime)
  }

  /// A song of the library.
  init(_ track: LibraryTrack, _ volumes: PresentVolumes) {
    self.init(
      track.reference,
      root: FileName.bytes(volumes.volume(track.reference.volume).path ?? ""), title: track.title,
      artist: track.artist ?? "", album: track.album ?? "",
      duration: SongTime(milliseconds: track.milliseconds) ?? .zero)
  }

  /// The title for people: the name of the file without its suffix if it has no title.
  var shownTitle: String {
    if !title.isEmpty { return title }
    let path = reference.path
    return FileName.withoutSuffix(path.split(separator: 0x2F).last ?? path[...])
  }

  /// The same entry. An absolute path without a volume, as other programs write it, gets its volume.
  func located(_ volumes: PresentVolumes) -> Self {
    let path = reference.path
    guard reference.volume.isEmpty, path.first == 0x2F, let slash = path.lastIndex(of: 0x2F),
      let present = volumes.volume(containing: FileName.text(path[..<slash])),
      let root = present.path
    else { return self }
    var entry = self
    entry.reference = SongReference(
      volume: present.identity, path: Array(path.dropFirst(FileName.bytes(root).count + 1)))
    return entry
  }

  /// The song for the queue.
  var track: LibraryTrack {
    LibraryTrack(
      reference, title: shownTitle, artist: artist.isEmpty ? nil : artist,
      album: album.isEmpty ? nil : album, milliseconds: Int64(duration.milliseconds))
  }
}

extension MusicFile {
  /// Which song of the library and of the saved lists it is.
  var reference: SongReference {
    SongReference(volume: volume?.identity ?? "", path: FileName.bytes(pathInVolume))
  }

  /// The duration in the header; zero if it is not known, or if the header states one that no song has.
  var declaredTime: SongTime { declaredSeconds.flatMap { SongTime(seconds: $0) } ?? .zero }
}
