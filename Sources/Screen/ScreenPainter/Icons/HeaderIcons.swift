internal import CPango

// Of the header: who is there, what it comes from, and what has happened.
extension IconDrawing {
  static func queue(_ pen: Pen) {
    pen.polyline((4, 6), (20, 6))
    pen.polyline((4, 12), (12, 12))
    pen.polyline((4, 18), (12, 18))
    pen.stroke()
    pen.solid((16.6, 12.2), (21, 15), (16.6, 17.8), radius: 0.9)
  }

  static func bluetooth(_ pen: Pen) {
    pen.polyline((6.6, 7.4), (17.2, 16.4), (12, 21), (12, 3), (17.2, 7.6), (6.6, 16.6))
    pen.stroke()
  }

  static func bluetoothOff(_ pen: Pen) {
    bluetooth(pen)
    pen.erasing {
      pen.polyline((4, 4), (20, 20))
      pen.stroke(5.4)
    }
    pen.polyline((4.2, 4.2), (19.8, 19.8))
    pen.stroke()
  }

  static func phone(_ pen: Pen) {
    pen.roundedRect(6.5, 3, 11, 18, 2.6)
    pen.polyline((11, 17.6), (13, 17.6))
    pen.stroke()
  }

  static func stick(_ pen: Pen) {
    pen.roundedRect(6.5, 9.5, 11, 11.5, 2.6)
    pen.polyline((8.5, 9.5), (8.5, 3.5), (15.5, 3.5), (15.5, 9.5))
    pen.stroke()
    pen.circle(11, 6.6, 0.9)
    pen.circle(13.2, 6.6, 0.9)
    pen.fill()
  }

  static func radio(_ pen: Pen) {
    pen.circle(12, 12, 2.1)
    pen.fill()
    for radius in [5.6, 9.4] {
      pen.arc(12, 12, radius, from: -0.72, to: 0.72)
      pen.arc(12, 12, radius, from: .pi - 0.72, to: .pi + 0.72)
    }
    pen.stroke()
  }

  static func note(_ pen: Pen) {
    pen.circle(6.4, 17.8, 2.9)
    pen.circle(17, 15.8, 2.9)
    pen.polyline((9.3, 17.6), (9.3, 5.6), (19.9, 3.6), (19.9, 15.6))
    pen.stroke()
  }

  private static func speaker(_ pen: Pen) {
    pen.solid(
      (3.8, 9.9), (7, 9.9), (11, 6.2), (11, 17.8), (7, 14.1), (3.8, 14.1), radius: 0.9)
  }

  static func volume(_ pen: Pen) {
    speaker(pen)
    pen.arc(12, 12, 3.9, from: -0.8, to: 0.8)
    pen.arc(12, 12, 8, from: -0.85, to: 0.85)
    pen.stroke()
  }

  static func mute(_ pen: Pen) {
    speaker(pen)
    pen.polyline((15.2, 9.4), (20.4, 14.6))
    pen.polyline((20.4, 9.4), (15.2, 14.6))
    pen.stroke()
  }

  /// A handset: a thick arc between two weights.
  static func call(_ pen: Pen) {
    pen.saved {
      pen.translate(12, 12)
      pen.rotate(-.pi * 0.75)
      pen.translate(-12, -12)
      pen.arc(12, 19.2, 10.2, from: .pi + 0.42, to: 2 * .pi - 0.42)
      cairo_set_line_width(pen.cairo, 3.4)
      cairo_set_line_cap(pen.cairo, CAIRO_LINE_CAP_BUTT)
      cairo_stroke(pen.cairo)
      for side in [-1.0, 1] {
        pen.saved {
          pen.translate(12 + side * 8.1, 14.1)
          pen.rotate(side * 0.42)
          pen.roundedRect(-2.7, -2.5, 5.4, 5.6, 1.7)
          pen.fill()
        }
      }
    }
  }

  /// A car from above, and what it sends out behind it.
  static func reversing(_ pen: Pen) {
    pen.roundedRect(7, 3, 10, 12.5, 3)
    pen.polyline((9.4, 7.4), (14.6, 7.4))
    pen.stroke()
    pen.move(8, 18.6)
    pen.curve(10.4, 19.9, 13.6, 19.9, 16, 18.6)
    pen.stroke(1.8)
    pen.move(6.4, 21)
    pen.curve(9.8, 22.6, 14.2, 22.6, 17.6, 21)
    pen.stroke(1.8)
  }

  static func alarm(_ pen: Pen) {
    pen.circle(12, 13, 7.6)
    pen.polyline((12, 9), (12, 13.2), (14.6, 15))
    pen.polyline((3.6, 6.4), (6.6, 3.8))
    pen.polyline((20.4, 6.4), (17.4, 3.8))
    pen.stroke()
  }

  static func warning(_ pen: Pen) {
    pen.polyline((12, 4.2), (21, 19.6), (3, 19.6), closed: true)
    pen.polyline((12, 10), (12, 13.6))
    pen.stroke()
    pen.circle(12, 16.8, 1.2)
    pen.fill()
  }

  static func info(_ pen: Pen) {
    pen.circle(12, 12, 9)
    pen.polyline((12, 11.4), (12, 16.4))
    pen.stroke()
    pen.circle(12, 7.8, 1.3)
    pen.fill()
  }
}
