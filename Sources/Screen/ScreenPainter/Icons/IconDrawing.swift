internal import ScreenLayout

/// The icons. Each icon is drawn in a box of 24 × 24 units. Most strokes have a width of 2 and round ends, and most
/// shapes lie between the coordinates 3 and 21.
enum IconDrawing {
  /// Draws one icon. The context must have a box of 24 × 24 units.
  static func draw(_ symbol: Symbol, _ context: DrawingContext) {
    switch symbol {
    case .play: play(context)
    case .pause: pause(context)
    case .stop: stop(context)
    case .next: next(context)
    case .previous: mirrored(context) { next(context) }
    case .skipForward: mirrored(context) { skip(context) }
    case .skipBackward: skip(context)
    case .buffering: buffering(context)
    case .seekForward: seek(context)
    case .seekBackward: mirrored(context) { seek(context) }
    case .shuffle: shuffle(context)
    case .shuffleCollections: shuffleCollections(context)
    case .repeatAll: repeatAll(context)
    case .repeatOne: repeatOne(context)
    case .add: add(context)
    case .added: added(context)
    case .more: more(context)
    case .heart: heart(context, isFilled: false)
    case .heartFilled: heart(context, isFilled: true)
    case .thumbsUp: thumb(context, isFilled: false)
    case .thumbsUpFilled: thumb(context, isFilled: true)
    case .thumbsDown: upsideDown(context) { thumb(context, isFilled: false) }
    case .thumbsDownFilled: upsideDown(context) { thumb(context, isFilled: true) }
    case .bookmark: bookmark(context, isFilled: false)
    case .bookmarkFilled: bookmark(context, isFilled: true)
    case .folder: folder(context)
    case .nextFolder: nextFolder(context)
    case .previousFolder: previousFolder(context)
    case .bell: bell(context)
    case .nextAlbum: nextAlbum(context)
    case .previousAlbum: mirrored(context) { nextAlbum(context) }
    case .nextPlaylist: nextPlaylist(context)
    case .previousPlaylist: mirrored(context) { nextPlaylist(context) }
    case .queue: queue(context)
    case .bluetooth: bluetooth(context)
    case .bluetoothOff: bluetoothOff(context)
    case .phone: phone(context)
    case .stick: stick(context)
    case .radio: radio(context)
    case .note: note(context)
    case .volume: volume(context)
    case .mute: mute(context)
    case .call: call(context)
    case .reversing: reversing(context)
    case .alarm: alarm(context)
    case .warning: warning(context)
    case .info: info(context)
    case .bars: bars(context)
    case .chevronForward: chevron(context, 0)
    case .chevronDown: chevron(context, 1)
    case .back: chevron(context, 2)
    case .chevronUp: chevron(context, 3)
    case .check: check(context)
    case .cross: cross(context)
    case .menu: menu(context)
    case .library: library(context)
    case .layers: layers(context)
    case .sliders: sliders(context)
    case .search: search(context)
    case .plus: plus(context)
    case .erase: erase(context)
    case .stickAbsent: stickAbsent(context)
    case .person: person(context)
    case .disc: disc(context)
    case .tag: tag(context)
    case .playlist: playlist(context)
    case .clock: clock(context)
    case .remote: remote(context)
    case .minus: minus(context)
    case .sun: sun(context)
    case .globe: globe(context)
    case .power: power(context)
    case .reload: reload(context)
    case .code: code(context)
    case .bin: bin(context)
    case .playNext: playNext(context)
    }
  }

  static func mirrored(_ context: DrawingContext, _ body: () -> Void) {
    context.saved {
      context.translate(24, 0)
      context.scale(-1, 1)
      body()
    }
  }

  static func upsideDown(_ context: DrawingContext, _ body: () -> Void) {
    context.saved {
      context.translate(0, 24)
      context.scale(1, -1)
      body()
    }
  }
}
