/// Changes the mount points of the volumes of files. Files that shared values before also share the new values.
public struct MusicFileMoves {
  /// For each pack: the pack itself, and the pack with the changed values. `new` is nil if nothing changes.
  private var packs: [ObjectIdentifier: (old: FilePack, new: FilePack?)] = [:]

  /// Creates an object without stored results. The object stores the result for each pack, so all calls of a method
  /// must pass the same function.
  public init() {}

  /// Returns the file with the volume that `volume` returns for its folder. If the file already has a volume, the file
  /// is returned unchanged.
  public mutating func located(
    _ file: MusicFile, _ volume: (_ folder: String) -> VolumeMount?
  ) -> MusicFile {
    changed(file) { common in
      guard common.volume == nil, let mount = volume(withoutTrailingSlashes(common.directory))
      else { return nil }
      return MusicFile.Common(
        directory: common.directory, artist: common.artist, album: common.album, volume: mount)
    } ?? file
  }

  /// Returns the file with the mount point that `mount` returns for its volume. Returns nil if the mount points of all
  /// files in the pack of this file stay the same.
  public mutating func moved(
    _ file: MusicFile, to mount: (_ identity: String) -> VolumeMount
  ) -> MusicFile? {
    changed(file) { common in
      guard let old = common.volume else { return nil }
      let new = mount(old.identity)
      guard new != old else { return nil }
      let directory = Substring(
        common.directory.utf8.dropFirst(old.path.map { $0.utf8.count + 1 } ?? 0))
      return MusicFile.Common(
        directory: (new.path.map { $0 + "/" } ?? "") + directory, artist: common.artist,
        album: common.album, volume: new)
    }
  }

  private mutating func changed(
    _ file: MusicFile, _ change: (MusicFile.Common) -> MusicFile.Common?
  ) -> MusicFile? {
    let known = packs[ObjectIdentifier(file.pack)]
    let new = known == nil ? Self.changed(file.pack, change) : known?.new
    if known == nil { packs[ObjectIdentifier(file.pack)] = (file.pack, new) }
    return new.map { MusicFile($0, file.index) }
  }

  private static func changed(
    _ pack: FilePack, _ change: (MusicFile.Common) -> MusicFile.Common?
  ) -> FilePack? {
    let albums = pack.albums.map(change)
    guard albums.contains(where: { $0 != nil }) else { return nil }
    return pack.with(zip(albums, pack.albums).map { $0 ?? $1 })
  }
}
