/// Which song is meant. The song is a whole file of a volume.
///
/// If a part of a file can be a song, such as a track of a cue sheet, the part becomes a further property, which is nil
/// for a whole file. The keys and the stored forms of whole files must then stay as they are.
public struct SongReference: Hashable, Sendable {
  /// See ``LibraryVolume/identity``. Empty if it is not known; the path is then absolute, or that of another program.
  public var volume: String
  /// The path below the volume, as bytes.
  public var path: [UInt8]

  public init(volume: String, path: [UInt8]) {
    self.volume = volume
    self.path = path
  }
}
