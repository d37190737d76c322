internal import CPango
internal import ScreenLayout

/// The drawing functions that icons and scenes use.
struct DrawingContext {
  let cairo: OpaquePointer

  init(_ cairo: OpaquePointer) { self.cairo = cairo }

  // MARK: State

  func saved(_ body: () -> Void) {
    cairo_save(cairo)
    body()
    cairo_restore(cairo)
  }

  func color(_ rgb: RGB, _ opacity: Double = 1) {
    cairo_set_source_rgba(cairo, rgb.red, rgb.green, rgb.blue, min(opacity, 1))
  }

  func translate(_ x: Double, _ y: Double) { cairo_translate(cairo, x, y) }
  func scale(_ x: Double, _ y: Double) { cairo_scale(cairo, x, y) }
  func rotate(_ angle: Double) { cairo_rotate(cairo, angle) }

  func clip(_ rect: PixelRect) {
    cairo_new_path(cairo)
    cairo_rectangle(
      cairo, Double(rect.x), Double(rect.y), Double(rect.width), Double(rect.height))
    cairo_clip(cairo)
  }

  /// Calls `body`. The shapes that `body` draws erase the pixels below them.
  func erasing(_ body: () -> Void) {
    cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR)
    body()
    cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
  }

  // MARK: Paths

  func fill() { cairo_fill(cairo) }

  /// Strokes the path, with round ends and corners.
  func stroke(_ width: Double = 2) {
    cairo_set_line_width(cairo, width)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    cairo_stroke(cairo)
  }

  func move(_ x: Double, _ y: Double) { cairo_move_to(cairo, x, y) }
  func line(_ x: Double, _ y: Double) { cairo_line_to(cairo, x, y) }
  func curve(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x3: Double, _ y3: Double
  ) {
    cairo_curve_to(cairo, x1, y1, x2, y2, x3, y3)
  }
  func close() { cairo_close_path(cairo) }

  func polyline(_ points: (Double, Double)..., closed: Bool = false) {
    for (index, point) in points.enumerated() {
      if index == 0 { move(point.0, point.1) } else { line(point.0, point.1) }
    }
    if closed { close() }
  }

  func arc(_ x: Double, _ y: Double, _ radius: Double, from: Double, to: Double) {
    cairo_new_sub_path(cairo)
    cairo_arc(cairo, x, y, radius, from, to)
  }

  func circle(_ x: Double, _ y: Double, _ radius: Double) {
    arc(x, y, radius, from: 0, to: 2 * .pi)
    close()
  }

  func roundedRect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double
  ) {
    let r = max(0, min(radius, width / 2, height / 2))
    cairo_new_sub_path(cairo)
    cairo_arc(cairo, x + width - r, y + r, r, -.pi / 2, 0)
    cairo_arc(cairo, x + width - r, y + height - r, r, 0, .pi / 2)
    cairo_arc(cairo, x + r, y + height - r, r, .pi / 2, .pi)
    cairo_arc(cairo, x + r, y + r, r, .pi, 1.5 * .pi)
    cairo_close_path(cairo)
  }

  func roundedRect(_ rect: PixelRect, _ radius: Double, inset: Double = 0) {
    roundedRect(
      Double(rect.x) + inset, Double(rect.y) + inset, Double(rect.width) - 2 * inset,
      Double(rect.height) - 2 * inset, radius - inset)
  }

  /// Draws a filled polygon with rounded corners.
  func solid(_ points: (Double, Double)..., radius: Double = 1) {
    for (index, point) in points.enumerated() {
      if index == 0 { move(point.0, point.1) } else { line(point.0, point.1) }
    }
    close()
    cairo_fill_preserve(cairo)
    stroke(2 * radius)
  }

  // MARK: Images

  /// Draws a surface without scaling, at whole pixels.
  func image(_ surface: Surface, x: Int, y: Int) {
    cairo_set_source_surface(cairo, surface.pointer, Double(x), Double(y))
    cairo_paint(cairo)
  }

  /// Paints the current colour through a mask.
  func mask(_ surface: Surface, x: Int, y: Int) {
    cairo_mask_surface(cairo, surface.pointer, Double(x), Double(y))
  }
}
