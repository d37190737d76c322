/// A place on the screen, in pixels from the upper left corner.
public struct PixelPoint: Hashable, Sendable {
  /// Rightward.
  public var x: Int
  /// Downward.
  public var y: Int

  /// See the fields.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A size in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// Across; at least 1.
  public let width: Int
  /// Down; at least 1.
  public let height: Int

  /// Anything below 1 counts as 1.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// `800×480`.
  public var description: String { "\(width)×\(height)" }
}

/// A rectangle of whole pixels. What it holds begins at `x` and ends before `maxX`.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
  /// Of the left edge.
  public var x: Int
  /// Of the upper edge.
  public var y: Int
  /// 0 or more.
  public var width: Int
  /// 0 or more.
  public var height: Int

  /// A negative width or height counts as 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// All of a screen.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// Round a middle; where that is between two pixels, the left or upper one counts.
  init(centerX: Int, centerY: Int, width: Int, height: Int) {
    self.init(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  /// The first column behind it.
  public var maxX: Int { x + width }
  /// The first row below it.
  public var maxY: Int { y + height }
  /// The middle column.
  public var midX: Int { x + width / 2 }
  /// The middle row.
  public var midY: Int { y + height / 2 }
  /// In pixels.
  public var area: Int { width * height }
  /// Without a pixel.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// Whether a pixel lies in it.
  public func contains(_ point: PixelPoint) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// Whether all of `other` lies in it.
  public func contains(_ other: PixelRect) -> Bool {
    other.isEmpty
      || (other.x >= x && other.maxX <= maxX && other.y >= y && other.maxY <= maxY)
  }

  /// Whether they share a pixel.
  public func intersects(_ other: PixelRect) -> Bool { !intersection(other).isEmpty }

  /// What they share; empty where that is nothing.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// The smallest rectangle round both; an empty one does not count.
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Smaller by so much on every side; larger where that is negative.
  public func inset(by pixels: Int) -> PixelRect {
    PixelRect(
      x: x + pixels, y: y + pixels, width: width - 2 * pixels, height: height - 2 * pixels)
  }

  /// `12,34 56×78`.
  public var description: String { "\(x),\(y) \(width)×\(height)" }
}
