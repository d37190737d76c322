/// An sRGB colour; components 0 … 1.
public struct RGB: Hashable, Sendable, CustomStringConvertible {
  /// Red.
  public let red: Double
  /// Green.
  public let green: Double
  /// Blue.
  public let blue: Double

  /// Creates a colour. Components outside of 0 … 1 are clamped.
  public init(_ red: Double, _ green: Double, _ blue: Double) {
    func cut(_ value: Double) -> Double { min(max(value, 0), 1) }
    self.red = cut(red)
    self.green = cut(green)
    self.blue = cut(blue)
  }

  /// Creates a colour from a number `0xRRGGBB`.
  public init(_ hexadecimal: Int) {
    self.init(
      Double(hexadecimal >> 16 & 255) / 255, Double(hexadecimal >> 8 & 255) / 255,
      Double(hexadecimal & 255) / 255)
  }

  /// White.
  public static let white = RGB(1, 1, 1)
  /// Black.
  public static let black = RGB(0, 0, 0)

  /// Relative luminance, 0 … 1 (WCAG 2).
  public var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The contrast ratio, 1 … 21 (WCAG 2).
  public func contrast(with other: RGB) -> Double {
    let a = luminance + 0.05
    let b = other.luminance + 0.05
    return max(a, b) / min(a, b)
  }

  /// The result of painting `cover` over this colour. `opacity` is the opacity of `cover`, 0 … 1. The painter mixes
  /// colours in the same way.
  public func covered(by cover: RGB, opacity: Double) -> RGB {
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * opacity }
    return RGB(mix(red, cover.red), mix(green, cover.green), mix(blue, cover.blue))
  }

  /// `#RRGGBB`.
  public var description: String {
    "#"
      + [red, green, blue].map { value in
        let byte = Int((value * 255).rounded())
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + text : text
      }.joined()
  }

  static func linear(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : Roots.power2Point4((value + 0.055) / 1.055)
  }

  static func encoded(_ value: Double) -> Double {
    let value = min(max(value, 0), 1)
    return value <= 0.0031308 ? value * 12.92 : 1.055 * Roots.root2Point4(value) - 0.055
  }
}
