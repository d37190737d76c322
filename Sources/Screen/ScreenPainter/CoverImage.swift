internal import CPango
public import ScreenLayout

/// A decoded cover, with no more pixels than a screen needs. It may be created on any thread, and
/// does not change afterwards.
public struct CoverImage: @unchecked Sendable {
  // This type is Sendable, because after `init` the surface is only read.
  let surface: Surface
  /// The colours for a palette.
  public let colors: CoverColors

  /// Pixels across.
  public var width: Int { surface.width }
  /// Pixels down.
  public var height: Int { surface.height }

  /// Decodes a JPEG or PNG file. Blocks. `limits` restricts the duration.
  ///
  /// - Parameter side: the side of the square in which the cover is shown, in pixels. The result is
  ///   not larger than this square.
  public init(_ bytes: [UInt8], side: Int, limits: DecodingLimits = DecodingLimits())
    throws(ImageDecodingError)
  {
    guard bytes.count <= limits.bytes else { throw .tooLarge }
    let side = min(max(side, 1), 4096)
    let decoded: Surface
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      decoded = try JPEGDecoding.decode(bytes, side: side, limits)
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      decoded = try PNGDecoding.decode(bytes, limits)
    } else {
      throw .unknownFormat
    }
    self.init(decoded.filling(side))
  }

  /// The picture that is shown if there is no cover.
  public static func placeholder(seed: String, side: Int) -> CoverImage {
    CoverImage(Placeholder.surface(seed: seed, side: min(max(side, 1), 4096)))
  }

  /// Computes a picture. `color` returns the colour of a pixel; x and y are the position of its
  /// centre, from 0 to 1.
  public init(side: Int, color: (_ x: Double, _ y: Double) -> RGB) {
    let side = min(max(side, 1), 4096)
    let surface = Surface(.opaque, width: side, height: side)
    surface.withBytes { bytes, stride in
      for y in 0..<side {
        for x in 0..<side {
          let rgb = color((Double(x) + 0.5) / Double(side), (Double(y) + 0.5) / Double(side))
          let at = y * stride + x * 4
          bytes[at] = UInt8((rgb.blue * 255).rounded())
          bytes[at + 1] = UInt8((rgb.green * 255).rounded())
          bytes[at + 2] = UInt8((rgb.red * 255).rounded())
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

/// The limits for decoding a picture. They limit the memory and the time that decoding takes.
public struct DecodingLimits: Sendable {
  /// The greatest size of the file, in bytes.
  public var bytes = 16 << 20
  /// The greatest width and height, in pixels.
  public var side = 8192
  /// The greatest number of pixels of a picture that is decoded row by row.
  public var pixels = 40_000_000
  /// The greatest number of pixels of a picture that is in memory as a whole during decoding. Such
  /// a picture is a PNG (up to 64 MB of memory) or a JPEG with several scans (up to 96 MB of
  /// memory).
  public var heldPixels = 16_000_000
  /// The greatest number of scans of a JPEG. Each scan covers the whole picture. Ten scans are
  /// usual.
  public var scans = 40
  /// The greatest number of pixels in all scans together.
  public var scannedPixels = 200_000_000
  /// The longest time for decoding a PNG, in milliseconds. A PNG that takes longer is refused.
  public var milliseconds = 3000

  /// The default limits. Usual covers are within these limits.
  public init() {}
}

/// The reason why a picture cannot be decoded. The placeholder is shown in all cases.
public enum ImageDecodingError: Error, Hashable, Sendable {
  case unknownFormat
  /// The picture exceeds a limit, or has no pixels.
  case tooLarge
  /// The data does not match the header, or the colours are not supported (CMYK).
  case damaged
  case tookTooLong
}

extension Surface {
  /// The central square of the picture, scaled down to at most `side` pixels. The parts beside the
  /// square are cut off. Bars beside the whole picture would be more visible than the picture.
  func filling(_ side: Int) -> Surface {
    let shorter = min(width, height)
    let target = min(side, shorter)
    if width == height, width == target { return self }
    let result = Surface(.opaque, width: target, height: target)
    result.draw { context in
      let scale = Double(target) / Double(shorter)
      context.scale(scale, scale)
      context.translate(Double(shorter - width) / 2, Double(shorter - height) / 2)
      cairo_set_source_surface(context.cairo, pointer, 0, 0)
      let pattern = cairo_get_source(context.cairo)
      cairo_pattern_set_filter(pattern, CAIRO_FILTER_BEST)
      cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      cairo_paint(context.cairo)
    }
    return result
  }

  /// The colours on a grid of 24 × 24 cells. Each colour is the mean of its cell.
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
      (0..<side * side).map { place in
        let at = place / side * stride + place % side * 4
        return RGB(
          Double(bytes[at + 2]) / 255, Double(bytes[at + 1]) / 255, Double(bytes[at]) / 255)
      }
    }
  }
}
