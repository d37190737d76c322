// The icons of custom buttons.
extension IconDrawing {
  static func shuffle(_ context: DrawingContext) {
    context.move(3, 7)
    context.line(5, 7)
    context.curve(11.2, 7, 12.4, 17, 18.6, 17)
    context.line(20.6, 17)
    context.move(3, 17)
    context.line(5, 17)
    context.curve(7.3, 17, 8.8, 15.7, 10, 14.1)
    context.move(13.7, 9.8)
    context.curve(14.9, 8.2, 16.3, 7, 18.6, 7)
    context.line(20.6, 7)
    context.polyline((18.2, 4.4), (20.8, 7), (18.2, 9.6))
    context.polyline((18.2, 14.4), (20.8, 17), (18.2, 19.6))
    context.stroke()
  }

  /// The icon for albums in random order. The tracks of each album keep their order.
  static func shuffleCollections(_ context: DrawingContext) {
    context.saved {
      context.translate(0, -2)
      context.scale(1, 0.86)
      shuffle(context)
    }
    context.polyline((4, 21), (20, 21))
    context.stroke()
  }

  static func repeatAll(_ context: DrawingContext) {
    context.move(3.5, 11.4)
    context.line(3.5, 10)
    context.curve(3.5, 7.8, 5.3, 6, 7.5, 6)
    context.line(20, 6)
    context.polyline((17.5, 3.4), (20.1, 6), (17.5, 8.6))
    context.move(20.5, 12.6)
    context.line(20.5, 14)
    context.curve(20.5, 16.2, 18.7, 18, 16.5, 18)
    context.line(4, 18)
    context.polyline((6.5, 15.4), (3.9, 18), (6.5, 20.6))
    context.stroke()
  }

  static func repeatOne(_ context: DrawingContext) {
    repeatAll(context)
    context.polyline((11.1, 10.9), (12.4, 10), (12.4, 14.1))
    context.stroke(1.7)
  }

  static func add(_ context: DrawingContext) {
    context.circle(12, 12, 9)
    context.polyline((12, 8), (12, 16))
    context.polyline((8, 12), (16, 12))
    context.stroke()
  }

  static func added(_ context: DrawingContext) {
    context.circle(12, 12, 10)
    context.fill()
    context.erasing {
      context.polyline((7.8, 12.3), (10.8, 15.2), (16.3, 9.2))
      context.stroke(2.2)
    }
  }

  static func more(_ context: DrawingContext) {
    for x in [5.0, 12, 19] { context.circle(x, 12, 2) }
    context.fill()
  }

  static func heart(_ context: DrawingContext, isFilled: Bool) {
    func path() {
      context.move(12, 20)
      context.curve(5.5, 15.6, 3, 12.4, 3, 9)
      context.curve(3, 6.2, 5.1, 4.2, 7.6, 4.2)
      context.curve(9.4, 4.2, 11.1, 5.2, 12, 6.9)
      context.curve(12.9, 5.2, 14.6, 4.2, 16.4, 4.2)
      context.curve(18.9, 4.2, 21, 6.2, 21, 9)
      context.curve(21, 12.4, 18.5, 15.6, 12, 20)
      context.close()
    }
    outlined(context, isFilled, path)
  }

  static func thumb(_ context: DrawingContext, isFilled: Bool) {
    func hand() {
      context.move(8, 11)
      context.line(11.6, 3.4)
      context.curve(13.2, 3.2, 14.4, 4.4, 14.2, 6)
      context.line(13.7, 9.3)
      context.line(18.7, 9.3)
      context.curve(20.2, 9.3, 21.1, 10.5, 20.8, 11.9)
      context.line(19.5, 18.1)
      context.curve(19.2, 19.4, 18.2, 20.2, 16.9, 20.2)
      context.line(8, 20.2)
      context.close()
    }
    outlined(context, isFilled, hand)
    context.polyline((4.3, 11.2), (4.3, 20.2))
    context.stroke(isFilled ? 2.6 : 2)
  }

  static func bookmark(_ context: DrawingContext, isFilled: Bool) {
    outlined(context, isFilled) {
      context.move(6.2, 3.6)
      context.line(17.8, 3.6)
      context.line(17.8, 20.4)
      context.line(12, 16)
      context.line(6.2, 20.4)
      context.close()
    }
  }

  static func folder(_ context: DrawingContext) {
    context.polyline(
      (3.4, 18.6), (3.4, 5.6), (9.2, 5.6), (11.4, 8), (20.6, 8), (20.6, 18.6), closed: true)
    context.stroke()
  }

  static func nextFolder(_ context: DrawingContext) {
    folder(context)
    arrow(context)
  }

  static func previousFolder(_ context: DrawingContext) {
    folder(context)
    mirrored(context) { arrow(context) }
  }

  static func nextAlbum(_ context: DrawingContext) {
    context.circle(12, 12, 9)
    context.polyline((10.4, 8.2), (14.2, 12), (10.4, 15.8))
    context.stroke()
  }

  static func nextPlaylist(_ context: DrawingContext) {
    context.polyline((4, 6), (20, 6))
    context.polyline((4, 12), (11, 12))
    context.polyline((4, 18), (11, 18))
    context.polyline((15.4, 11.2), (19.2, 15), (15.4, 18.8))
    context.stroke()
  }

  private static func arrow(_ context: DrawingContext) {
    context.polyline((10.6, 10.9), (13, 13.3), (10.6, 15.7))
    context.stroke(1.8)
  }

  static func bell(_ context: DrawingContext) {
    context.move(5, 17)
    context.curve(6.8, 15, 6.6, 12.6, 6.8, 10.4)
    context.curve(7.1, 7.2, 9.2, 5, 12, 5)
    context.curve(14.8, 5, 16.9, 7.2, 17.2, 10.4)
    context.curve(17.4, 12.6, 17.2, 15, 19, 17)
    context.close()
    context.polyline((12, 3.2), (12, 4.8))
    context.move(10, 20)
    context.curve(11, 21.2, 13, 21.2, 14, 20)
    context.stroke()
  }

  private static func outlined(_ context: DrawingContext, _ isFilled: Bool, _ path: () -> Void) {
    path()
    if isFilled {
      context.fill()
      path()
    }
    context.stroke()
  }
}
