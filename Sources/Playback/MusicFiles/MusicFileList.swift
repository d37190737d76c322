/// Makes files from known values, without reading the files. Files with the same folder, artist and album share these
/// values.
public struct MusicFileList {
  /// The values that several files share.
  private struct Key: Hashable {
    let volume: VolumeMount?
    let directory: Substring
    let artist: String?
    let album: String?

    /// True if `common` contains these values. Directories are compared as bytes, because two texts that are equal for
    /// Unicode can be the names of different folders.
    func fits(_ common: MusicFile.Common) -> Bool {
      // A slash follows the path of the volume.
      let rootLength = volume?.path.map { $0.utf8.count + 1 } ?? 0
      return common.volume == volume && common.artist == artist && common.album == album
        && common.directory.utf8.dropFirst(rootLength).elementsEqual(directory.utf8)
    }
  }

  /// Shared values by the hashes of their keys. The keys are not stored, because a key would keep the path of a file in
  /// memory.
  private var shared: [Int: MusicFile.Common] = [:]
  private var builder = FilePack.Builder()
  private var files: [MusicFile] = []

  /// Creates an empty list.
  public init() {}

  /// Adds a file on a volume.
  /// - Parameters:
  ///   - path: the path below the volume. If the volume is nil, the whole path.
  ///   - stamp: see ``MusicFile/stamp``.
  ///   - numberInAlbum: see ``MusicFile/numberInAlbum``.
  public mutating func add(
    _ volume: VolumeMount?, path: String, title: String?, artist: String?, album: String?,
    seconds: Double?, stamp: UInt32 = 0, numberInAlbum: UInt32 = 0
  ) {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    let nameStart = end ?? path.startIndex
    let key = Key(
      volume: volume, directory: path[..<nameStart], artist: artist, album: album)
    builder.add(
      path[nameStart...], title: title, seconds: seconds, stamp: stamp,
      numberInAlbum: numberInAlbum, common(key))
    if builder.isFull { pack() }
  }

  /// Adds a copy of a file.
  mutating func add(_ file: MusicFile) {
    builder.add(
      file.fileName, title: file.title, seconds: file.declaredSeconds, stamp: file.stamp,
      numberInAlbum: file.numberInAlbum, file.common)
    if builder.isFull { pack() }
  }

  /// Returns all files in the order in which they were added, and empties the list.
  public mutating func take() -> [MusicFile] {
    pack()
    defer { self = MusicFileList() }
    return files
  }

  private mutating func pack() {
    guard !builder.isEmpty else { return }
    let pack = builder.take()
    files += (0..<UInt32(pack.count)).lazy.map { MusicFile(pack, $0) }
  }

  private mutating func common(_ key: Key) -> MusicFile.Common {
    let hash = key.hashValue
    if let known = shared[hash], key.fits(known) { return known }
    let common = MusicFile.Common(
      directory: (key.volume?.path.map { $0 + "/" } ?? "") + key.directory, artist: key.artist,
      album: key.album, volume: key.volume)
    shared[hash] = common
    return common
  }
}
