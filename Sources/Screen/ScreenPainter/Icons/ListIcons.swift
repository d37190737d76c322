// Of lists and buttons with words.
extension IconDrawing {
  static func bars(_ pen: Pen) {
    for (x, top) in [(5.0, 10.0), (12, 5), (19, 13)] { pen.polyline((x, top), (x, 19)) }
    pen.stroke(2.6)
  }

  /// To the right, and so many quarters of a turn from there.
  static func chevron(_ pen: Pen, _ quarters: Int) {
    pen.saved {
      pen.translate(12, 12)
      pen.rotate(Double(quarters) * .pi / 2)
      pen.polyline((-2.75, -6.5), (3.75, 0), (-2.75, 6.5))
      pen.stroke()
    }
  }

  static func check(_ pen: Pen) {
    pen.polyline((5, 12.6), (9.8, 17.2), (19, 7.4))
    pen.stroke(2.4)
  }

  static func cross(_ pen: Pen) {
    pen.polyline((6.2, 6.2), (17.8, 17.8))
    pen.polyline((17.8, 6.2), (6.2, 17.8))
    pen.stroke(2.4)
  }
}
