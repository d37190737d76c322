internal import CPango

// The icons of the header: phones, sources and notices.
extension IconDrawing {
  static func queue(_ context: DrawingContext) {
    context.polyline((4, 6), (20, 6))
    context.polyline((4, 12), (12, 12))
    context.polyline((4, 18), (12, 18))
    context.stroke()
    context.solid((16.6, 12.2), (21, 15), (16.6, 17.8), radius: 0.9)
  }

  static func bluetooth(_ context: DrawingContext) {
    context.polyline((6.6, 7.4), (17.2, 16.4), (12, 21), (12, 3), (17.2, 7.6), (6.6, 16.6))
    context.stroke()
  }

  static func bluetoothOff(_ context: DrawingContext) {
    crossedOut(context) { bluetooth(context) }
  }

  /// Draws an icon and a line across it, with a gap on both sides of the line.
  static func crossedOut(_ context: DrawingContext, _ body: () -> Void) {
    body()
    context.erasing {
      context.polyline((4, 4), (20, 20))
      context.stroke(5.4)
    }
    context.polyline((4.2, 4.2), (19.8, 19.8))
    context.stroke()
  }

  static func phone(_ context: DrawingContext) {
    context.roundedRect(6.5, 3, 11, 18, 2.6)
    context.polyline((11, 17.6), (13, 17.6))
    context.stroke()
  }

  static func stick(_ context: DrawingContext) {
    context.roundedRect(6.5, 9.5, 11, 11.5, 2.6)
    context.polyline((8.5, 9.5), (8.5, 3.5), (15.5, 3.5), (15.5, 9.5))
    context.stroke()
    context.circle(11, 6.6, 0.9)
    context.circle(13.2, 6.6, 0.9)
    context.fill()
  }

  static func radio(_ context: DrawingContext) {
    context.circle(12, 12, 2.1)
    context.fill()
    for radius in [5.6, 9.4] {
      context.arc(12, 12, radius, from: -0.72, to: 0.72)
      context.arc(12, 12, radius, from: .pi - 0.72, to: .pi + 0.72)
    }
    context.stroke()
  }

  static func note(_ context: DrawingContext) {
    context.circle(6.4, 17.8, 2.9)
    context.circle(17, 15.8, 2.9)
    context.polyline((9.3, 17.6), (9.3, 5.6), (19.9, 3.6), (19.9, 15.6))
    context.stroke()
  }

  private static func speaker(_ context: DrawingContext) {
    context.solid(
      (3.8, 9.9), (7, 9.9), (11, 6.2), (11, 17.8), (7, 14.1), (3.8, 14.1), radius: 0.9)
  }

  static func volume(_ context: DrawingContext) {
    speaker(context)
    context.arc(12, 12, 3.9, from: -0.8, to: 0.8)
    context.arc(12, 12, 8, from: -0.85, to: 0.85)
    context.stroke()
  }

  static func mute(_ context: DrawingContext) {
    speaker(context)
    context.polyline((15.2, 9.4), (20.4, 14.6))
    context.polyline((20.4, 9.4), (15.2, 14.6))
    context.stroke()
  }

  /// A handset: a thick arc between two blocks.
  static func call(_ context: DrawingContext) {
    context.saved {
      context.translate(12, 12)
      context.rotate(-.pi * 0.75)
      context.translate(-12, -12)
      context.arc(12, 19.2, 10.2, from: .pi + 0.42, to: 2 * .pi - 0.42)
      cairo_set_line_width(context.cairo, 3.4)
      cairo_set_line_cap(context.cairo, CAIRO_LINE_CAP_BUTT)
      cairo_stroke(context.cairo)
      for side in [-1.0, 1] {
        context.saved {
          context.translate(12 + side * 8.1, 14.1)
          context.rotate(side * 0.42)
          context.roundedRect(-2.7, -2.5, 5.4, 5.6, 1.7)
          context.fill()
        }
      }
    }
  }

  /// A car from above, and waves behind it.
  static func reversing(_ context: DrawingContext) {
    context.roundedRect(7, 3, 10, 12.5, 3)
    context.polyline((9.4, 7.4), (14.6, 7.4))
    context.stroke()
    context.move(8, 18.6)
    context.curve(10.4, 19.9, 13.6, 19.9, 16, 18.6)
    context.stroke(1.8)
    context.move(6.4, 21)
    context.curve(9.8, 22.6, 14.2, 22.6, 17.6, 21)
    context.stroke(1.8)
  }

  static func alarm(_ context: DrawingContext) {
    context.circle(12, 13, 7.6)
    context.polyline((12, 9), (12, 13.2), (14.6, 15))
    context.polyline((3.6, 6.4), (6.6, 3.8))
    context.polyline((20.4, 6.4), (17.4, 3.8))
    context.stroke()
  }

  static func warning(_ context: DrawingContext) {
    context.polyline((12, 4.2), (21, 19.6), (3, 19.6), closed: true)
    context.polyline((12, 10), (12, 13.6))
    context.stroke()
    context.circle(12, 16.8, 1.2)
    context.fill()
  }

  static func info(_ context: DrawingContext) {
    context.circle(12, 12, 9)
    context.polyline((12, 11.4), (12, 16.4))
    context.stroke()
    context.circle(12, 7.8, 1.3)
    context.fill()
  }
}
