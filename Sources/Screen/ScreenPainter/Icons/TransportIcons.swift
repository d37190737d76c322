// What plays, holds and moves.
extension IconDrawing {
  static func play(_ pen: Pen) {
    // A little to the right: the weight of a triangle is not in the middle of its box.
    pen.solid((7.9, 5.2), (19.5, 12), (7.9, 18.8), radius: 1.3)
  }

  static func pause(_ pen: Pen) {
    pen.roundedRect(5.5, 4, 4.6, 16, 1.4)
    pen.roundedRect(13.9, 4, 4.6, 16, 1.4)
    pen.fill()
  }

  static func stop(_ pen: Pen) {
    pen.roundedRect(5.5, 5.5, 13, 13, 2)
    pen.fill()
  }

  static func next(_ pen: Pen) {
    pen.solid((5, 6.2), (14.6, 12), (5, 17.8), radius: 1.1)
    pen.roundedRect(17.2, 4.9, 2.6, 14.2, 1.3)
    pen.fill()
  }

  /// Back by seconds, which stand in the ring.
  static func skip(_ pen: Pen) {
    pen.arc(12, 13, 8.4, from: -.pi / 2, to: .pi + 0.2)
    pen.stroke(1.8)
    pen.polyline((14.5, 2), (11.9, 4.6), (14.5, 7.2))
    pen.stroke(1.8)
  }
}
