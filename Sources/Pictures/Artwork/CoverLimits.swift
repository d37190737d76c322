/// Limits for pictures, and for the search for pictures.
public struct CoverLimits: Sendable, Equatable {
  /// The largest size of a picture file, in bytes.
  public var bytes = 16 << 20
  /// The largest width and the largest height, in pixels.
  public var side = 8192
  /// The largest number of pixels of a picture. A decoded pixel takes four bytes.
  public var pixels = 40_000_000
  /// The largest number of pictures that are tried in a music file. The same limit applies to the pictures in the
  /// folder of the file.
  public var candidates = 8
  /// The largest number of names that are read in a folder.
  public var folderEntries = 10_000

  /// Creates the default limits. Usual covers are within these limits.
  public init() {}
}
