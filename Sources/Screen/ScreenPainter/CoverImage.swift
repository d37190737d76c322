internal import CPango
public import ScreenLayout

/// A cover as pixels, with no more pixels than a screen needs. Can be created on any thread, and does not change later.
public struct CoverImage: @unchecked Sendable {
  // This type is Sendable, because after `init` the surface is only read.
  let surface: Surface
  /// The colours from which the palette of the screen is computed.
  public let colors: CoverColors

  /// The width in pixels.
  public var width: Int { surface.width }
  /// The height in pixels.
  public var height: Int { surface.height }

  /// Copies the pixels of a decoded picture. Returns nil if a side is not from 1 to 4096, or if there are too few
  /// bytes.
  /// - Parameter pixels: the rows from top to bottom, without gaps. A pixel has four bytes: blue, green, red, and one
  ///   unused byte.
  public init?(width: Int, height: Int, pixels: UnsafeRawBufferPointer) {
    guard let surface = Surface(.opaque, width: width, height: height, pixels: pixels) else {
      return nil
    }
    self.init(surface)
  }

  /// Creates the placeholder that is shown if there is no cover.
  public static func placeholder(seed: String, side: Int) -> CoverImage {
    CoverImage(Placeholder.surface(seed: seed, side: min(max(side, 1), 4096)))
  }

  /// Computes a square picture. `color` returns the colour of a pixel. Its arguments are the position of the pixel's
  /// centre, from 0 to 1.
  public init(side: Int, color: (_ x: Double, _ y: Double) -> RGB) {
    let side = min(max(side, 1), 4096)
    let surface = Surface(.opaque, width: side, height: side)
    surface.withBytes { bytes, stride in
      for y in 0..<side {
        for x in 0..<side {
          let rgb = color((Double(x) + 0.5) / Double(side), (Double(y) + 0.5) / Double(side))
          let offset = y * stride + x * 4
          bytes[offset] = UInt8((rgb.blue * 255).rounded())
          bytes[offset + 1] = UInt8((rgb.green * 255).rounded())
          bytes[offset + 2] = UInt8((rgb.red * 255).rounded())
        }
      }
    }
    self.init(surface)
  }

  init(_ surface: Surface) {
    self.surface = surface
    colors = CoverColors(sample: surface.sample())
  }

  var byteCount: Int { surface.byteCount }
}

extension Surface {
  /// Returns the colours on a grid of 24 × 24 cells. Each colour is the mean of its cell.
  func sample() -> [RGB] {
    let side = CoverColors.sampleSide
    let small = Surface(.opaque, width: side, height: side)
    small.draw { context in
      context.scale(Double(side) / Double(width), Double(side) / Double(height))
      cairo_set_source_surface(context.cairo, pointer, 0, 0)
      cairo_pattern_set_filter(cairo_get_source(context.cairo), CAIRO_FILTER_BEST)
      cairo_pattern_set_extend(cairo_get_source(context.cairo), CAIRO_EXTEND_PAD)
      cairo_paint(context.cairo)
    }
    return small.withBytes { bytes, stride in
      (0..<side * side).map { index in
        let offset = index / side * stride + index % side * 4
        return RGB(
          Double(bytes[offset + 2]) / 255, Double(bytes[offset + 1]) / 255,
          Double(bytes[offset]) / 255)
      }
    }
  }
}
