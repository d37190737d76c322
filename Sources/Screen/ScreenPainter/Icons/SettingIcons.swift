internal import Glibc

// The icons of the settings, and of the actions on a row or on a stick.
extension IconDrawing {
  static func minus(_ context: DrawingContext) {
    context.polyline((5.5, 12), (18.5, 12))
    context.stroke(2.6)
  }

  static func sun(_ context: DrawingContext) {
    context.circle(12, 12, 4)
    for eighth in 0..<8 {
      let (x, y) = (cos(Double(eighth) * .pi / 4), sin(Double(eighth) * .pi / 4))
      context.polyline((12 + 7.2 * x, 12 + 7.2 * y), (12 + 9 * x, 12 + 9 * y))
    }
    context.stroke()
  }

  static func globe(_ context: DrawingContext) {
    context.circle(12, 12, 9)
    context.polyline((3.2, 12), (20.8, 12))
    context.move(12, 3)
    context.curve(6.6, 8, 6.6, 16, 12, 21)
    context.move(12, 3)
    context.curve(17.4, 8, 17.4, 16, 12, 21)
    context.stroke(1.8)
  }

  static func power(_ context: DrawingContext) {
    context.arc(12, 13, 8, from: -0.95, to: .pi + 0.95)
    context.polyline((12, 3.4), (12, 11))
    context.stroke(2.2)
  }

  static func reload(_ context: DrawingContext) {
    context.arc(12, 12, 8, from: -0.5, to: 5.1)
    context.polyline((19.9, 3.8), (19.4, 8.6), (14.6, 8.1))
    context.stroke()
  }

  /// A QR code.
  static func code(_ context: DrawingContext) {
    for (x, y) in [(3.6, 3.6), (14, 3.6), (3.6, 14)] { context.roundedRect(x, y, 6.4, 6.4, 1.2) }
    context.stroke()
    for (x, y) in [(14.6, 14.6), (19.4, 14.6), (17, 17), (14.6, 19.4), (19.4, 19.4)] {
      context.roundedRect(x - 1.1, y - 1.1, 2.3, 2.3, 0.6)
    }
    context.fill()
  }

  static func bin(_ context: DrawingContext) {
    context.polyline((4, 6.4), (20, 6.4))
    context.polyline((9, 6.2), (9.6, 3.6), (14.4, 3.6), (15, 6.2))
    context.polyline((6, 6.6), (7, 20.4), (17, 20.4), (18, 6.6))
    context.polyline((12, 10.4), (12, 16.6))
    context.stroke()
  }

  static func playNext(_ context: DrawingContext) {
    context.polyline((4, 5), (20, 5))
    context.polyline((11.5, 12), (20, 12))
    context.polyline((11.5, 19), (20, 19))
    context.polyline((4, 19), (4, 12.4))
    context.polyline((1.6, 14.8), (4, 12.2), (6.4, 14.8))
    context.stroke()
  }
}
