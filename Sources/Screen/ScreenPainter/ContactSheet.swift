internal import CPango
internal import ScreenLayout

/// One picture that shows many screens with their names.
public final class ContactSheet {
  private let canvas: Surface
  private let shaper = TextShaper()

  /// Creates an empty sheet. Each side is limited to 16384 pixels.
  public init(width: Int, height: Int) {
    canvas = Surface(
      .opaque, width: min(max(width, 1), 16384), height: min(max(height, 1), 16384))
    canvas.draw { context in
      context.color(RGB(0x1D1F24))
      cairo_paint(context.cairo)
    }
  }

  /// Draws the picture of a painter at a position, scaled to `width`, with a name below.
  public func add(_ painter: Painter, named name: String, x: Int, y: Int, width: Int) {
    let scale = Double(width) / Double(painter.size.width)
    canvas.draw { context in
      context.saved {
        context.translate(Double(x), Double(y))
        context.scale(scale, scale)
        cairo_set_source_surface(context.cairo, painter.canvas.pointer, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context.cairo), CAIRO_FILTER_BEST)
        cairo_rectangle(
          context.cairo, 0, 0, Double(painter.size.width), Double(painter.size.height))
        context.fill()
      }
      let layout = shaper.layout(
        TextShaper.Key(
          text: name, style: TextStyle(size: 14, weight: .medium), width: width, lines: 1))
      context.color(RGB(0xA8ADB6))
      context.move(Double(x), Double(y) + Double(painter.size.height) * scale + 19)
      pango_cairo_show_layout_line(
        context.cairo, pango_layout_get_line_readonly(layout.pointer, 0))
    }
  }

  /// Writes a PNG file. Replaces an existing file. Blocks.
  public func writePNG(to path: String) throws(PNGError) { try canvas.writePNG(to: path) }
}
