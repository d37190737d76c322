/// Limits for pictures and for the search for them.
public struct CoverLimits: Sendable, Equatable {
  /// Size of a picture file in bytes.
  public var bytes = 16 << 20
  /// Width and height in pixels.
  public var side = 8192
  /// Pixels of a picture. A decoded pixel takes four bytes.
  public var pixels = 40_000_000
  /// Pictures that are tried in a music file, and again in its folder.
  public var candidates = 8
  /// Names that are read in a folder.
  public var folderEntries = 10_000

  /// The defaults. Usual covers are within these limits.
  public init() {}
}
