/// A size in pixels, as requested, answered or stored (A4).
public struct ArtworkSize: Hashable, Sendable, CustomStringConvertible {
  /// Width; at least 1.
  public let width: Int
  /// Height; at least 1.
  public let height: Int

  /// Values below 1 become 1.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// The original size, however large. Apple's providers get an infinite size in this case, which
  /// an integer cannot hold.
  public static let largest = ArtworkSize(width: .max, height: .max)

  /// A cache keeps at least this many pixels on the longer side, unless the original has fewer.
  public static let minimumKept = ArtworkSize(width: 600, height: 600)

  /// The size of the answer to a request for `self`, from an original of this size: the largest
  /// picture with the same proportions that fits, never larger than the original.
  public func fitted(original: ArtworkSize) -> ArtworkSize {
    if original.width <= width, original.height <= height { return original }
    let scale = min(
      Double(width) / Double(original.width), Double(height) / Double(original.height))
    return ArtworkSize(
      width: min(width, Int((Double(original.width) * scale).rounded())),
      height: min(height, Int((Double(original.height) * scale).rounded())))
  }

  /// The size in which a cache keeps an original that it may shrink to `limit`: at least 600 pixels
  /// on the longer side (A4), never enlarged.
  public static func kept(original: ArtworkSize, limit: ArtworkSize) -> ArtworkSize {
    ArtworkSize(
      width: max(limit.width, minimumKept.width), height: max(limit.height, minimumKept.height)
    ).fitted(original: original)
  }

  /// `600×600`.
  public var description: String { self == .largest ? "largest" : "\(width)×\(height)" }
}
