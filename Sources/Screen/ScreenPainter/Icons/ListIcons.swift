// The icons of lists, and of buttons with a text.
extension IconDrawing {
  static func bars(_ context: DrawingContext) {
    for (x, top) in [(5.0, 10.0), (12, 5), (19, 13)] { context.polyline((x, top), (x, 19)) }
    context.stroke(2.6)
  }

  /// Draws an angle that points to the right, rotated clockwise by `quarters` quarter turns.
  static func chevron(_ context: DrawingContext, _ quarters: Int) {
    context.saved {
      context.translate(12, 12)
      context.rotate(Double(quarters) * .pi / 2)
      context.polyline((-2.75, -6.5), (3.75, 0), (-2.75, 6.5))
      context.stroke()
    }
  }

  static func check(_ context: DrawingContext) {
    context.polyline((5, 12.6), (9.8, 17.2), (19, 7.4))
    context.stroke(2.4)
  }

  static func cross(_ context: DrawingContext) {
    context.polyline((6.2, 6.2), (17.8, 17.8))
    context.polyline((17.8, 6.2), (6.2, 17.8))
    context.stroke(2.4)
  }
}
