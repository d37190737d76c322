internal import ScreenLayout

/// The icons, drawn in a box of 24 units: strokes of 2 with round ends, the drawing between 3 and 21.
enum IconDrawing {
  /// Draws one; the pen's box is 24 × 24.
  static func draw(_ symbol: Symbol, _ pen: Pen) {
    switch symbol {
    case .play: play(pen)
    case .pause: pause(pen)
    case .stop: stop(pen)
    case .next: next(pen)
    case .previous: mirrored(pen) { next(pen) }
    case .skipForward: mirrored(pen) { skip(pen) }
    case .skipBackward: skip(pen)
    case .shuffle: shuffle(pen)
    case .shuffleCollections: shuffleCollections(pen)
    case .repeatAll: repeatAll(pen)
    case .repeatOne: repeatOne(pen)
    case .add: add(pen)
    case .added: added(pen)
    case .more: more(pen)
    case .heart: heart(pen, isFilled: false)
    case .heartFilled: heart(pen, isFilled: true)
    case .thumbsUp: thumb(pen, isFilled: false)
    case .thumbsUpFilled: thumb(pen, isFilled: true)
    case .thumbsDown: upsideDown(pen) { thumb(pen, isFilled: false) }
    case .thumbsDownFilled: upsideDown(pen) { thumb(pen, isFilled: true) }
    case .bookmark: bookmark(pen, isFilled: false)
    case .bookmarkFilled: bookmark(pen, isFilled: true)
    case .folder: folder(pen)
    case .nextFolder: nextFolder(pen)
    case .previousFolder: previousFolder(pen)
    case .bell: bell(pen)
    case .queue: queue(pen)
    case .bluetooth: bluetooth(pen)
    case .bluetoothOff: bluetoothOff(pen)
    case .phone: phone(pen)
    case .stick: stick(pen)
    case .radio: radio(pen)
    case .note: note(pen)
    case .volume: volume(pen)
    case .mute: mute(pen)
    case .call: call(pen)
    case .reversing: reversing(pen)
    case .alarm: alarm(pen)
    case .warning: warning(pen)
    case .info: info(pen)
    case .bars: bars(pen)
    case .chevronForward: chevron(pen, 0)
    case .chevronDown: chevron(pen, 1)
    case .back: chevron(pen, 2)
    case .chevronUp: chevron(pen, 3)
    case .check: check(pen)
    case .cross: cross(pen)
    }
  }

  static func mirrored(_ pen: Pen, _ body: () -> Void) {
    pen.saved {
      pen.translate(24, 0)
      pen.scale(-1, 1)
      body()
    }
  }

  static func upsideDown(_ pen: Pen, _ body: () -> Void) {
    pen.saved {
      pen.translate(0, 24)
      pen.scale(1, -1)
      body()
    }
  }
}
