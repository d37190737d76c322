/// How much a picture, and the search for one, may cost.
public struct CoverLimits: Sendable, Equatable {
  /// Bytes of a picture file.
  public var bytes = 16 << 20
  /// Pixels of either side.
  public var side = 8192
  /// Pixels of a whole picture. Decoded, each is four bytes.
  public var pixels = 40_000_000
  /// Pictures that are tried in a file, and again in its folder.
  public var candidates = 8
  /// Names that are looked at in a folder.
  public var folderEntries = 10_000

  /// The limits that any cover in a collection keeps.
  public init() {}
}
