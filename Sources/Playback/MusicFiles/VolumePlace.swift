/// A volume with music, and the folder in which it is mounted.
public struct VolumePlace: Hashable, Sendable {
  /// Does not depend on the port and on the kernel's name of a stick.
  public let identity: String
  /// The folder, without a slash at the end. Nil while the volume is not there.
  public let path: String?

  /// Memberwise initializer.
  public init(identity: String, path: String?) {
    self.identity = identity
    self.path = path
  }
}

/// Makes files from what is known about them, without reading them. Files with the same folder, artist and
/// album share these values.
public struct MusicFileList {
  private struct Key: Hashable {
    let volume: VolumePlace?
    let directory: Substring
    let artist: String?
    let album: String?
  }

  private var stored: [Key: MusicFile.Common] = [:]
  private var moved: [ObjectIdentifier: MusicFile.Common] = [:]

  /// Creates a list that shares nothing yet.
  public init() {}

  /// A file on a volume.
  /// - Parameter path: the path below the volume. If the volume is nil, the whole path.
  public mutating func file(
    _ volume: VolumePlace?, path: String, title: String?, artist: String?, album: String?,
    seconds: Double?
  ) -> MusicFile {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    let key = Key(
      volume: volume, directory: path[..<(end ?? path.startIndex)], artist: artist, album: album)
    let common = stored[key] ?? Self.common(key)
    stored[key] = common
    return MusicFile(
      common, fileName: String(path[(end ?? path.startIndex)...]), title: title,
      declaredSeconds: seconds)
  }

  private static func common(_ key: Key) -> MusicFile.Common {
    MusicFile.Common(
      directory: (key.volume?.path.map { $0 + "/" } ?? "") + key.directory, artist: key.artist,
      album: key.album, volume: key.volume)
  }

  /// The same file, with the volume that `volume` returns for its folder. If the file has a volume, it stays.
  public mutating func located(
    _ file: MusicFile, _ volume: (_ folder: String) -> VolumePlace?
  ) -> MusicFile {
    guard file.volume == nil else { return file }
    if let known = moved[ObjectIdentifier(file.common)] { return file.moved(known) }
    guard let place = volume(trimmed(file.directory)) else { return file }
    let common = MusicFile.Common(
      directory: file.directory, artist: file.artist, album: file.album, volume: place)
    moved[ObjectIdentifier(file.common)] = common
    return file.moved(common)
  }

  /// The same file, with its volume at the place that `place` returns. Nil if this is its place already.
  public mutating func moved(
    _ file: MusicFile, to place: (_ identity: String) -> VolumePlace
  ) -> MusicFile? {
    guard let old = file.volume else { return nil }
    if let known = moved[ObjectIdentifier(file.common)] { return file.moved(known) }
    let new = place(old.identity)
    guard new != old else { return nil }
    let directory = file.directory.dropFirst(old.path.map { $0.count + 1 } ?? 0)
    let common = MusicFile.Common(
      directory: (new.path.map { $0 + "/" } ?? "") + directory, artist: file.artist,
      album: file.album, volume: new)
    moved[ObjectIdentifier(file.common)] = common
    return file.moved(common)
  }
}
