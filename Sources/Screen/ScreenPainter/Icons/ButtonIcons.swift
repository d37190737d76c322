// Of custom buttons.
extension IconDrawing {
  static func shuffle(_ pen: Pen) {
    pen.move(3, 7)
    pen.line(5, 7)
    pen.curve(11.2, 7, 12.4, 17, 18.6, 17)
    pen.line(20.6, 17)
    pen.move(3, 17)
    pen.line(5, 17)
    pen.curve(7.3, 17, 8.8, 15.7, 10, 14.1)
    pen.move(13.7, 9.8)
    pen.curve(14.9, 8.2, 16.3, 7, 18.6, 7)
    pen.line(20.6, 7)
    pen.polyline((18.2, 4.4), (20.8, 7), (18.2, 9.6))
    pen.polyline((18.2, 14.4), (20.8, 17), (18.2, 19.6))
    pen.stroke()
  }

  /// Albums in any order, their tracks in their own.
  static func shuffleCollections(_ pen: Pen) {
    pen.saved {
      pen.translate(0, -2)
      pen.scale(1, 0.86)
      shuffle(pen)
    }
    pen.polyline((4, 21), (20, 21))
    pen.stroke()
  }

  static func repeatAll(_ pen: Pen) {
    pen.move(3.5, 11.4)
    pen.line(3.5, 10)
    pen.curve(3.5, 7.8, 5.3, 6, 7.5, 6)
    pen.line(20, 6)
    pen.polyline((17.5, 3.4), (20.1, 6), (17.5, 8.6))
    pen.move(20.5, 12.6)
    pen.line(20.5, 14)
    pen.curve(20.5, 16.2, 18.7, 18, 16.5, 18)
    pen.line(4, 18)
    pen.polyline((6.5, 15.4), (3.9, 18), (6.5, 20.6))
    pen.stroke()
  }

  static func repeatOne(_ pen: Pen) {
    repeatAll(pen)
    pen.polyline((11.1, 10.9), (12.4, 10), (12.4, 14.1))
    pen.stroke(1.7)
  }

  static func add(_ pen: Pen) {
    pen.circle(12, 12, 9)
    pen.polyline((12, 8), (12, 16))
    pen.polyline((8, 12), (16, 12))
    pen.stroke()
  }

  static func added(_ pen: Pen) {
    pen.circle(12, 12, 10)
    pen.fill()
    pen.erasing {
      pen.polyline((7.8, 12.3), (10.8, 15.2), (16.3, 9.2))
      pen.stroke(2.2)
    }
  }

  static func more(_ pen: Pen) {
    for x in [5.0, 12, 19] { pen.circle(x, 12, 2) }
    pen.fill()
  }

  static func heart(_ pen: Pen, isFilled: Bool) {
    func path() {
      pen.move(12, 20)
      pen.curve(5.5, 15.6, 3, 12.4, 3, 9)
      pen.curve(3, 6.2, 5.1, 4.2, 7.6, 4.2)
      pen.curve(9.4, 4.2, 11.1, 5.2, 12, 6.9)
      pen.curve(12.9, 5.2, 14.6, 4.2, 16.4, 4.2)
      pen.curve(18.9, 4.2, 21, 6.2, 21, 9)
      pen.curve(21, 12.4, 18.5, 15.6, 12, 20)
      pen.close()
    }
    outlined(pen, isFilled, path)
  }

  static func thumb(_ pen: Pen, isFilled: Bool) {
    func hand() {
      pen.move(8, 11)
      pen.line(11.6, 3.4)
      pen.curve(13.2, 3.2, 14.4, 4.4, 14.2, 6)
      pen.line(13.7, 9.3)
      pen.line(18.7, 9.3)
      pen.curve(20.2, 9.3, 21.1, 10.5, 20.8, 11.9)
      pen.line(19.5, 18.1)
      pen.curve(19.2, 19.4, 18.2, 20.2, 16.9, 20.2)
      pen.line(8, 20.2)
      pen.close()
    }
    outlined(pen, isFilled, hand)
    pen.polyline((4.3, 11.2), (4.3, 20.2))
    pen.stroke(isFilled ? 2.6 : 2)
  }

  static func bookmark(_ pen: Pen, isFilled: Bool) {
    outlined(pen, isFilled) {
      pen.move(6.2, 3.6)
      pen.line(17.8, 3.6)
      pen.line(17.8, 20.4)
      pen.line(12, 16)
      pen.line(6.2, 20.4)
      pen.close()
    }
  }

  static func folder(_ pen: Pen) {
    pen.polyline(
      (3.4, 18.6), (3.4, 5.6), (9.2, 5.6), (11.4, 8), (20.6, 8), (20.6, 18.6), closed: true)
    pen.stroke()
  }

  static func nextFolder(_ pen: Pen) {
    folder(pen)
    arrow(pen)
  }

  static func previousFolder(_ pen: Pen) {
    folder(pen)
    mirrored(pen) { arrow(pen) }
  }

  private static func arrow(_ pen: Pen) {
    pen.polyline((10.6, 10.9), (13, 13.3), (10.6, 15.7))
    pen.stroke(1.8)
  }

  static func bell(_ pen: Pen) {
    pen.move(5, 17)
    pen.curve(6.8, 15, 6.6, 12.6, 6.8, 10.4)
    pen.curve(7.1, 7.2, 9.2, 5, 12, 5)
    pen.curve(14.8, 5, 16.9, 7.2, 17.2, 10.4)
    pen.curve(17.4, 12.6, 17.2, 15, 19, 17)
    pen.close()
    pen.polyline((12, 3.2), (12, 4.8))
    pen.move(10, 20)
    pen.curve(11, 21.2, 13, 21.2, 14, 20)
    pen.stroke()
  }

  private static func outlined(_ pen: Pen, _ isFilled: Bool, _ path: () -> Void) {
    path()
    if isFilled {
      pen.fill()
      path()
    }
    pen.stroke()
  }
}
