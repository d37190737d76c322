internal import CPango
internal import ScreenLayout

/// A picture that a source provides for one of its buttons (T3). Only the shape of the picture is used. The shape is
/// painted in the colours of the screen, so that it is visible by day and by night. The screen chooses the colour by
/// the state of the button: disabled or enabled, on or off.
public struct SourcePicture: Sendable {
  private enum Kind: Sendable {
    case path(VectorPath, box: Double)
    case letter(String)
    case image(SourcePictureMask)
  }

  private let kind: Kind

  /// Creates the picture from the path of an SVG (the attribute `d`). `box` is the width and the height of the SVG's
  /// view box, usually 24 units.
  public init(svgPath: String, box: Double = 24) throws(VectorPath.ParseError) {
    guard box.isFinite, box >= 1, box <= 10_000 else { throw .outOfBounds }
    kind = .path(try VectorPath(svgPath), box: box)
  }

  /// Creates the picture from pixels. The shape is the alpha channel, or the dark parts if all pixels are opaque.
  /// Returns nil if a side is not from 1 to 4096, or if there are too few bytes.
  /// - Parameter pixels: the rows from top to bottom, without gaps. A pixel has four bytes: blue, green, red, alpha,
  ///   premultiplied.
  public init?(width: Int, height: Int, pixels: UnsafeRawBufferPointer) {
    guard let surface = Surface(.alpha, width: width, height: height, pixels: pixels) else {
      return nil
    }
    kind = .image(SourcePictureMask(surface))
  }

  private init(_ kind: Kind) { self.kind = kind }

  /// Creates the replacement for an unknown picture: the first letter of the picture's name.
  static func letter(of name: String) -> SourcePicture {
    SourcePicture(.letter(name.first.map { String($0).uppercased() } ?? "?"))
  }

  func mask(side: Int) -> Surface {
    let mask = Surface(.mask, width: side, height: side)
    mask.draw { context in
      context.color(.white)
      switch kind {
      case .path(let path, let box):
        context.scale(Double(side) / box, Double(side) / box)
        path.draw(context)
        context.fill()
      case .letter(let letter):
        Self.write(letter, context, side)
      case .image(let image):
        image.draw(context, side)
      }
    }
    return mask
  }

  /// Draws a letter in a ring, so that the picture looks like a button.
  private static func write(_ letter: String, _ context: DrawingContext, _ side: Int) {
    let unit = Double(side) / 24
    context.circle(12 * unit, 12 * unit, 10 * unit)
    context.stroke(2 * unit)
    let style = TextStyle(size: max(6, side / 2), weight: .semibold)
    let layout = TextShaper().layout(
      TextShaper.Key(text: letter, style: style, width: side, lines: 1))
    context.move(
      (Double(side) - (layout.widths.first ?? 0)) / 2,
      Double(side) / 2 + Double(style.capHeight) / 2)
    pango_cairo_show_layout_line(context.cairo, pango_layout_get_line_readonly(layout.pointer, 0))
  }
}

/// The shape of a picture. The type is Sendable, because the shape does not change after `init`.
struct SourcePictureMask: @unchecked Sendable {
  private let surface: Surface

  init(_ picture: Surface) { surface = Self.coverage(of: picture) }

  func draw(_ context: DrawingContext, _ side: Int) {
    let longer = max(surface.width, surface.height)
    let scale = Double(side) / Double(longer)
    context.scale(scale, scale)
    context.translate(Double(longer - surface.width) / 2, Double(longer - surface.height) / 2)
    cairo_set_source_surface(context.cairo, surface.pointer, 0, 0)
    cairo_pattern_set_filter(cairo_get_source(context.cairo), CAIRO_FILTER_BEST)
    cairo_paint(context.cairo)
  }

  private static func coverage(of picture: Surface) -> Surface {
    let mask = Surface(.mask, width: picture.width, height: picture.height)
    picture.withBytes { source, sourceStride in
      mask.withBytes { target, stride in
        func pixel(_ x: Int, _ y: Int) -> Int { y * sourceStride + x * 4 }
        let isOpaque = (0..<picture.height).allSatisfy { y in
          (0..<picture.width).allSatisfy { x in source[pixel(x, y) + 3] == 255 }
        }
        for y in 0..<picture.height {
          for x in 0..<picture.width {
            let at = pixel(x, y)
            // The brightness is the luma of Rec. 601, with factors in 1/256.
            let light =
              (Int(source[at]) * 29 + Int(source[at + 1]) * 150 + Int(source[at + 2]) * 77) / 256
            target[y * stride + x] = isOpaque ? UInt8(255 - light) : source[at + 3]
          }
        }
      }
    }
    return mask
  }
}
