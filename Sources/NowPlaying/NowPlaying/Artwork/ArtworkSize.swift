/// The size of a requested, delivered or stored picture, in pixels (A4).
public struct ArtworkSize: Hashable, Sendable, CustomStringConvertible {
  /// Width; at least 1.
  public let width: Int
  /// Height; at least 1.
  public let height: Int

  /// Creates a size. Values below 1 become 1.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// A request for this size sets no limit, so the answer has the size of the original. Apple's providers get an
  /// infinite size in this case, but an integer cannot be infinite.
  public static let largest = ArtworkSize(width: .max, height: .max)

  /// When a cache shrinks a picture, at least this number of pixels remains on the longer side. A smaller original is
  /// kept unchanged.
  public static let minimumKept = ArtworkSize(width: 600, height: 600)

  /// The size of the picture that answers a request for `self`, if the original has the size `original`. This is the
  /// largest size that fits into `self` and has the proportions of the original. The result is never larger than the
  /// original.
  public func fitted(original: ArtworkSize) -> ArtworkSize {
    if original.width <= width, original.height <= height { return original }
    let scale = min(
      Double(width) / Double(original.width), Double(height) / Double(original.height))
    return ArtworkSize(
      width: min(width, Int((Double(original.width) * scale).rounded())),
      height: min(height, Int((Double(original.height) * scale).rounded())))
  }

  /// The size in which a cache keeps an original. The cache can shrink the original to `limit`, but not to fewer than
  /// 600 pixels on the longer side (A4). It never enlarges the original.
  public static func kept(original: ArtworkSize, limit: ArtworkSize) -> ArtworkSize {
    ArtworkSize(
      width: max(limit.width, minimumKept.width), height: max(limit.height, minimumKept.height)
    ).fitted(original: original)
  }

  /// The size as text: `600×600`.
  public var description: String { self == .largest ? "largest" : "\(width)×\(height)" }
}
