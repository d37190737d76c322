/// A colour in Björn Ottosson's OKLab space. In this space, equal distances look equally large. Colours of the same
/// lightness look equally light, even if their hues differ.
public struct OKLab: Hashable, Sendable {
  /// 0 black … 1 white.
  public var lightness: Double
  /// Green to red.
  public var a: Double
  /// Blue to yellow.
  public var b: Double

  init(_ lightness: Double, _ a: Double, _ b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// Creates a colour from its lightness, chroma and hue (in radians).
  public init(lightness: Double, chroma: Double, hue: Double) {
    let direction = Angle.direction(hue)
    self.init(lightness, chroma * direction.x, chroma * direction.y)
  }

  init(_ color: RGB) {
    let (r, g, b) = (RGB.linear(color.red), RGB.linear(color.green), RGB.linear(color.blue))
    let l = Roots.cube(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = Roots.cube(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = Roots.cube(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    self.init(
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
  }

  var chroma: Double { (a * a + b * b).squareRoot() }
  /// Radians, 0 ..< 2π.
  var hue: Double { Angle.of(a, b) }

  func mixed(with other: OKLab, _ part: Double) -> OKLab {
    OKLab(
      lightness + (other.lightness - lightness) * part, a + (other.a - a) * part,
      b + (other.b - b) * part)
  }

  /// The nearest sRGB colour. Components outside of 0 … 1 are clamped.
  public var rgb: RGB {
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return RGB(
      RGB.encoded(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
      RGB.encoded(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
      RGB.encoded(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3))
  }
}
