internal import Glibc

// The icons of the transport.
extension IconDrawing {
  static func play(_ context: DrawingContext) {
    // The triangle is a little to the right of the centre, because the centre of gravity of a triangle is not the
    // centre of its box.
    context.solid((7.9, 5.2), (19.5, 12), (7.9, 18.8), radius: 1.3)
  }

  static func pause(_ context: DrawingContext) {
    context.roundedRect(5.5, 4, 4.6, 16, 1.4)
    context.roundedRect(13.9, 4, 4.6, 16, 1.4)
    context.fill()
  }

  static func stop(_ context: DrawingContext) {
    context.roundedRect(5.5, 5.5, 13, 13, 2)
    context.fill()
  }

  static func next(_ context: DrawingContext) {
    context.solid((5, 6.2), (14.6, 12), (5, 17.8), radius: 1.1)
    context.roundedRect(17.2, 4.9, 2.6, 14.2, 1.3)
    context.fill()
  }

  static func seek(_ context: DrawingContext) {
    context.solid((4.2, 6.2), (12, 12), (4.2, 17.8), radius: 1.1)
    context.solid((12.4, 6.2), (20.2, 12), (12.4, 17.8), radius: 1.1)
  }

  /// A ring of dots.
  static func buffering(_ context: DrawingContext) {
    for index in 0..<8 {
      let angle = Double(index) * .pi / 4
      let radius = 1 + 0.12 * Double(index)
      let (x, y) = (12 + 7.6 * cos(angle), 12 + 7.6 * sin(angle))
      context.roundedRect(x - radius, y - radius, 2 * radius, 2 * radius, radius)
    }
    context.fill()
  }

  /// The icon of a skip backwards: an open ring with an arrow. ``IconCache`` writes the seconds into the ring.
  static func skip(_ context: DrawingContext) {
    context.arc(12, 13, 8.4, from: -.pi / 2, to: .pi + 0.2)
    context.stroke(1.8)
    context.polyline((14.5, 2), (11.9, 4.6), (14.5, 7.2))
    context.stroke(1.8)
  }
}
