/// A size in pixels: asked for, answered, kept (A4).
public struct ArtworkSize: Hashable, Sendable, CustomStringConvertible {
  /// Pixels across; at least 1.
  public let width: Int
  /// Pixels down; at least 1.
  public let height: Int

  /// Anything below 1 counts as 1.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// As large as there is. Apple's providers are asked for an infinite size in this case, which no
  /// integer holds.
  public static let largest = ArtworkSize(width: .max, height: .max)

  /// No original is kept smaller than this on its longer side, unless it was so from the start.
  public static let leastKept = ArtworkSize(width: 600, height: 600)

  /// What an original of this size is answered with when `self` is asked for: the largest picture
  /// of its proportions that fits, never larger than the original.
  public func fitted(original: ArtworkSize) -> ArtworkSize {
    if original.width <= width, original.height <= height { return original }
    let scale = min(
      Double(width) / Double(original.width), Double(height) / Double(original.height))
    return ArtworkSize(
      width: min(width, Int((Double(original.width) * scale).rounded())),
      height: min(height, Int((Double(original.height) * scale).rounded())))
  }

  /// The size in which a cache keeps an original that it may shrink to `limit`: never under 600
  /// pixels on the longer side (A4), never enlarged.
  public static func kept(original: ArtworkSize, limit: ArtworkSize) -> ArtworkSize {
    ArtworkSize(
      width: max(limit.width, leastKept.width), height: max(limit.height, leastKept.height)
    ).fitted(original: original)
  }

  /// `600×600`.
  public var description: String { self == .largest ? "largest" : "\(width)×\(height)" }
}
