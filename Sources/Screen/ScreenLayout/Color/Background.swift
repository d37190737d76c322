/// The background of a scene: a gradient of two colours along a diagonal, a soft light behind the cover, and the shadow
/// of the cover. The colour is a function of the position, so that contrast can be computed without painting.
public struct Background: Hashable, Sendable {
  /// The shadow of the cover.
  public struct Shadow: Hashable, Sendable {
    /// The frame of the cover.
    public let frame: PixelRect
    /// The radius of the cover's corners, in pixels.
    public let radius: Int
    /// The distance by which the shadow extends beyond the cover, in pixels.
    public let blur: Int
    /// The distance by which the shadow is moved down, in pixels.
    public let offset: Int
    /// The opacity of the darkest part of the shadow, 0 … 1.
    public let opacity: Double
  }

  /// The size of the screen.
  public let size: PixelSize
  /// The colour of the upper leading corner.
  public let start: OKLab
  /// The colour of the lower trailing corner.
  public let end: OKLab
  /// The colour of the light.
  public let glow: OKLab
  /// The centre of the light.
  public let glowCenter: PixelPoint
  /// The shadow of the cover; nil if there is no cover.
  public let shadow: Shadow?
  /// True if the upper leading corner is the upper right corner.
  public let isMirrored: Bool

  /// The opacity of the light in its centre.
  static let glowStrength = 0.8
  /// The radii of the light, as fractions of the screen's width and height.
  static let glowRadii = (x: 0.62, y: 0.86)

  /// The colour at a pixel.
  public func color(x: Int, y: Int) -> RGB {
    let along = Double(isMirrored ? size.width - 1 - x : x) / Double(size.width)
    let down = Double(y) / Double(size.height)
    let diagonal = Self.smooth(along * 0.45 + down * 0.55)
    let dx = Double(x - glowCenter.x) / (Double(size.width) * Self.glowRadii.x)
    let dy = Double(y - glowCenter.y) / (Double(size.height) * Self.glowRadii.y)
    let light = Self.smooth(1 - (dx * dx + dy * dy).squareRoot()) * Self.glowStrength
    let ground = start.mixed(with: end, diagonal).mixed(with: glow, light).rgb
    guard let shadow else { return ground }
    return ground.covered(by: .black, opacity: shadow.strength(x: x, y: y))
  }

  private static func smooth(_ value: Double) -> Double {
    let value = min(max(value, 0), 1)
    return value * value * (3 - 2 * value)
  }
}

extension Background.Shadow {
  fileprivate func strength(x: Int, y: Int) -> Double {
    // Computes the distance from a rounded rectangle. The edge of the shadow is smooth on both sides of the outline.
    let half = (x: Double(frame.width) / 2, y: Double(frame.height) / 2)
    let dx = (Double(x) - Double(frame.x) - half.x).magnitude - half.x + Double(radius)
    let dy = (Double(y) - Double(frame.y + offset) - half.y).magnitude - half.y + Double(radius)
    let outside = (max(dx, 0), max(dy, 0))
    let distance =
      (outside.0 * outside.0 + outside.1 * outside.1).squareRoot() - Double(radius)
    let depth = min(max(0.5 - distance / Double(2 * max(blur, 1)), 0), 1)
    return depth * depth * (3 - 2 * depth) * opacity
  }
}
