/// A reference to a song. A song is a whole file of a volume.
///
/// If parts of a file become songs in the future, such as tracks of a cue sheet, add a property for the part, which is
/// nil for a whole file. The hashes (`key`) and the stored forms of whole files must not change then.
public struct SongReference: Hashable, Sendable {
  /// See ``LibraryVolume/identity``. Empty if it is not known. Then the path is absolute, or comes from the playlist of
  /// another program.
  public var volume: String
  /// The path below the volume, as bytes.
  public var path: [UInt8]

  public init(volume: String, path: [UInt8]) {
    self.volume = volume
    self.path = path
  }
}
