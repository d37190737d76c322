// The icons of the menu: the tabs, the lists, and the keys of the header.
extension IconDrawing {
  static func menu(_ context: DrawingContext) {
    for (x, y) in [(3.6, 3.6), (13.6, 3.6), (3.6, 13.6), (13.6, 13.6)] {
      context.roundedRect(x, y, 6.8, 6.8, 1.8)
    }
    context.stroke()
  }

  static func library(_ context: DrawingContext) {
    context.polyline((4.5, 4), (4.5, 20))
    context.polyline((9.5, 4), (9.5, 20))
    context.polyline((14, 4.6), (19.6, 19.6))
    context.stroke()
  }

  static func layers(_ context: DrawingContext) {
    context.polyline((12, 3.4), (20.6, 8), (12, 12.6), (3.4, 8), closed: true)
    context.polyline((3.6, 12.2), (12, 16.7), (20.4, 12.2))
    context.polyline((3.6, 16.4), (12, 20.9), (20.4, 16.4))
    context.stroke()
  }

  static func sliders(_ context: DrawingContext) {
    for (y, x) in [(6.0, 15.5), (12, 8.5), (18, 13.5)] {
      context.polyline((3.5, y), (x - 2.6, y))
      context.polyline((x + 2.6, y), (20.5, y))
      context.circle(x, y, 2.4)
    }
    context.stroke()
  }

  static func search(_ context: DrawingContext) {
    context.circle(10.6, 10.6, 6.6)
    context.polyline((15.6, 15.6), (20.4, 20.4))
    context.stroke(2.2)
  }

  static func plus(_ context: DrawingContext) {
    context.polyline((5.5, 12), (18.5, 12))
    context.polyline((12, 5.5), (12, 18.5))
    context.stroke(2.6)
  }

  static func erase(_ context: DrawingContext) {
    context.polyline((8.4, 5.6), (20.6, 5.6), (20.6, 18.4), (8.4, 18.4), (3, 12), closed: true)
    context.polyline((11.6, 9.4), (16.8, 14.6))
    context.polyline((16.8, 9.4), (11.6, 14.6))
    context.stroke()
  }

  static func stickAbsent(_ context: DrawingContext) {
    crossedOut(context) { stick(context) }
  }

  static func person(_ context: DrawingContext) {
    context.circle(12, 8, 4.2)
    context.move(4, 20.4)
    context.curve(4.6, 16, 8, 14.6, 12, 14.6)
    context.curve(16, 14.6, 19.4, 16, 20, 20.4)
    context.stroke()
  }

  static func disc(_ context: DrawingContext) {
    context.circle(12, 12, 9)
    context.circle(12, 12, 2.6)
    context.stroke()
  }

  static func tag(_ context: DrawingContext) {
    context.polyline(
      (3.8, 4.8), (11.6, 3.6), (20.6, 12.6), (12.6, 20.6), (3.6, 11.6), closed: true)
    context.stroke()
    context.circle(8.4, 8.4, 1.3)
    context.fill()
  }

  static func playlist(_ context: DrawingContext) {
    context.polyline((4, 6), (20, 6))
    context.polyline((4, 11), (12.6, 11))
    context.polyline((4, 16), (10, 16))
    context.circle(14.6, 18, 2.3)
    context.polyline((16.9, 18), (16.9, 11), (20.4, 10.2))
    context.stroke()
  }

  static func clock(_ context: DrawingContext) {
    context.circle(12, 12, 9)
    context.polyline((12, 6.8), (12, 12), (15.6, 14))
    context.stroke()
  }
}

extension IconDrawing {
  static func remote(_ context: DrawingContext) {
    context.roundedRect(7.4, 3, 9.2, 18, 3)
    context.circle(12, 8.4, 1.7)
    context.stroke()
    context.circle(12, 13.6, 1.1)
    context.circle(12, 17, 1.1)
    context.fill()
  }
}
