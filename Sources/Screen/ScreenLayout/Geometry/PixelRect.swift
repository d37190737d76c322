/// A position on the screen, in pixels from the upper left corner.
public struct PixelPoint: Hashable, Sendable {
  /// The distance from the left edge.
  public var x: Int
  /// The distance from the upper edge.
  public var y: Int

  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A size in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// At least 1.
  public let width: Int
  /// At least 1.
  public let height: Int

  /// Creates a size. Values below 1 are replaced by 1.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// The size as text, such as `800×480`.
  public var description: String { "\(width)×\(height)" }
}

/// A rectangle of whole pixels. It contains the column `x` but not the column `maxX`, and the row `y` but not the row
/// `maxY`.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
  /// The left column.
  public var x: Int
  /// The upper row.
  public var y: Int
  /// 0 or more.
  public var width: Int
  /// 0 or more.
  public var height: Int

  /// Creates a rectangle. A negative width or height is replaced by 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// Creates a rectangle that covers a screen of this size.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// Creates a rectangle around a centre. If a side has an even number of pixels, the centre is the right or lower
  /// pixel of the two middle pixels.
  init(centerX: Int, centerY: Int, width: Int, height: Int) {
    self.init(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  /// The first column to the right of the rectangle.
  public var maxX: Int { x + width }
  /// The first row below the rectangle.
  public var maxY: Int { y + height }
  /// The middle column.
  public var midX: Int { x + width / 2 }
  /// The middle row.
  public var midY: Int { y + height / 2 }
  /// The number of pixels.
  public var area: Int { width * height }
  /// True if the rectangle has no pixel.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// True if the pixel is in the rectangle.
  public func contains(_ point: PixelPoint) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// True if all of `other` is in the rectangle.
  public func contains(_ other: PixelRect) -> Bool {
    other.isEmpty
      || (other.x >= x && other.maxX <= maxX && other.y >= y && other.maxY <= maxY)
  }

  /// True if both rectangles have a pixel in common.
  public func intersects(_ other: PixelRect) -> Bool { !intersection(other).isEmpty }

  /// The pixels that are in both rectangles; empty if there are none.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// The smallest rectangle that contains both rectangles. An empty rectangle is ignored.
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// The rectangle made smaller by `pixels` on each side, or larger if `pixels` is negative.
  public func inset(by pixels: Int) -> PixelRect {
    PixelRect(
      x: x + pixels, y: y + pixels, width: width - 2 * pixels, height: height - 2 * pixels)
  }

  /// The rectangle as text, such as `12,34 56×78`.
  public var description: String { "\(x),\(y) \(width)×\(height)" }
}
