internal import NowPlaying

// Transport and custom buttons.
extension SceneBuilder {
  private var transportX: Int {
    metrics.customY == nil ? screen.midX : column.midX
  }

  // MARK: Transport

  /// Adds the transport buttons as one block. In a right-to-left language the layout is mirrored, but a block keeps the
  /// order of its elements: *previous* is always to the left of *next*.
  mutating func transport() {
    let centerX = transportX
    let centerY = y(isAlone ? metrics.aloneTransportY : metrics.transportY)
    let column = column
    block =
      metrics.customY == nil
      ? screen : PixelRect(x: column.x, y: centerY, width: column.width, height: 1)
    defer { block = nil }
    let face = state.transport
    let gap = min((column.width - u(metrics.customIcon)) * 3 / 8, u(metrics.transportReach))
    let reach = metrics.customY == nil ? u(metrics.transportReach) : gap
    side(
      "transport.back", face.back, else: .previous, centerX: centerX - reach, centerY: centerY,
      hold: hold(.seekBackward, .seekBackward(.begin), .seekBackward(.end)))
    disc(face.central, centerX: centerX, centerY: centerY)
    side(
      "transport.forward", face.forward, else: .next, centerX: centerX + reach, centerY: centerY,
      hold: hold(.seekForward, .seekForward(.begin), .seekForward(.end)))
  }

  private func hold(_ kind: CommandKind, _ begin: MediaRequest, _ end: MediaRequest)
    -> HitArea.Hold?
  {
    state.command(kind)?.isEnabled == true ? HitArea.Hold(begin: begin, end: end) : nil
  }

  /// Adds *previous* or *next*. If the source does not offer the command, the icon is still drawn, in grey. So the
  /// layout stays the same.
  private mutating func side(
    _ id: ElementID, _ button: TransportState.Button?, else absent: Symbol, centerX: Int,
    centerY: Int, hold: HitArea.Hold?
  ) {
    let isActive = button?.isEnabled == true && !isHeld
    let paint = Paint(.text, isActive ? 1 : palette.inertOpacity)
    var symbol = absent
    var label: String?
    switch button?.request {
    case .skipForward(let interval):
      symbol = .skipForward
      label = interval.flatMap(Self.label)
    case .skipBackward(let interval):
      symbol = .skipBackward
      label = interval.flatMap(Self.label)
    default: break
    }
    let size = u(isAlone ? metrics.aloneTransportIcon : metrics.transportIcon)
    icon(id, symbol, centerX: centerX, centerY: centerY, size: size, paint, label: label)
    let inner = u((isAlone ? metrics.aloneDisc : metrics.disc) / 2 + 4)
    // The hit area is symmetric around the icon, and begins beside the disc of the play button. Half of its width is at
    // most 63 units, so that it does not overlap the custom buttons.
    let away = abs(centerX - transportX)
    let half = min(away - inner, u(63))
    let height = u(metrics.transportHit)
    hit(
      id, PixelRect(centerX: centerX, centerY: centerY, width: 2 * half, height: height),
      face: PixelRect(
        centerX: centerX, centerY: centerY, width: min(2 * half, height),
        height: min(2 * half, height)),
      radius: min(2 * half, height) / 2, isActive ? button.map { .media($0.request) } : nil,
      hold: hold)
  }

  /// The number of seconds as text. Nil if the number does not fit into the ring of the icon.
  private static func label(_ interval: Duration) -> String? {
    let seconds = interval.components.seconds
    return (1...99).contains(seconds) ? "\(seconds)" : nil
  }

  private mutating func disc(_ button: TransportState.Button?, centerX: Int, centerY: Int) {
    let diameter = u(isAlone ? metrics.aloneDisc : metrics.disc)
    let frame = PixelRect(centerX: centerX, centerY: centerY, width: diameter, height: diameter)
    // During an interruption, the disc is grey and still cancels the resume.
    let isEnabled = button?.isEnabled == true
    let isActive = isEnabled && !isHeld
    shape(
      "transport.disc", frame,
      Shape(radius: diameter / 2, fill: Paint(isActive ? .disc : .fill)))
    let symbol: Symbol
    let paint: Paint
    if isHeld {
      symbol = reasonSymbol
      paint = Paint(.good)
    } else {
      symbol = self.symbol(of: button?.request)
      paint = isActive ? Paint(.onDisc) : Paint(.text, palette.inertOpacity)
    }
    icon(
      "transport.central", symbol, centerX: centerX, centerY: centerY,
      size: u(isAlone ? metrics.aloneDiscIcon : metrics.discIcon), paint)
    let side = max(diameter + u(8), u(metrics.transportHit))
    hit(
      "transport.central",
      PixelRect(
        centerX: centerX, centerY: centerY, width: diameter + u(8),
        height: isAlone ? side : max(u(metrics.transportHit), diameter)),
      face: frame, radius: diameter / 2, isEnabled ? button.map { .media($0.request) } : nil)
  }

  func symbol(of request: MediaRequest?) -> Symbol {
    switch request {
    case .pause: .pause
    case .stop: .stop
    case .togglePlayPause: state.status.showsPauseGlyph ? .pause : .play
    default: .play
    }
  }

  // MARK: Custom buttons

  /// The buttons of the source, and behind them those of the unit, with the numbers for a tap.
  var buttons: [(number: Int, button: TemplateState.Button)] {
    let template = state.template
    return template.buttons.enumerated().map { ($0, $1) }
      + template.unitButtons.enumerated().map { (NowPlayingTemplate.maximumButtons + $0, $1) }
  }

  /// Adds the row of custom buttons. If the unit has buttons of its own, *more* is at the end of the row, and shows
  /// them in place of those of the source.
  mutating func customButtons() {
    guard let rowY = metrics.customY else { return flankingButtons() }
    let hasMore = !state.template.unitButtons.isEmpty
    let isMore = hasMore && context.page == .buttons
    let shown = buttons.filter { ($0.number >= NowPlayingTemplate.maximumButtons) == isMore }
    let column = column
    let count = shown.count + (hasMore ? 1 : 0)
    guard count > 0 else { return }
    let room = column.width - u(metrics.customIcon)
    let isFull = count >= NowPlayingTemplate.maximumButtons
    let pitch =
      isFull
      ? room / (count - 1) : min(room / max(count - 1, 1), u(metrics.customWidestPitch))
    func centerX(_ index: Int) -> Int {
      // The first and the last of five buttons are aligned with the edges of the column.
      isFull
        ? column.x + u(metrics.customIcon) / 2 + room * index / (count - 1)
        : column.midX + (2 * index - (count - 1)) * pitch / 2
    }
    let width = min(pitch, u(metrics.customHit.width))
    for (index, (number, button)) in shown.enumerated() {
      custom(button, number, centerX: centerX(index), centerY: y(rowY), width: width)
    }
    if hasMore { more(!isMore, centerX: centerX(count - 1), centerY: y(rowY), width: width) }
  }

  /// Adds the custom buttons of a small screen: at most one on each side of the transport. If there are more than two
  /// buttons, the button *more* is at the second position. It shows all custom buttons.
  private mutating func flankingButtons() {
    let buttons = buttons
    let width = u(metrics.customHit.width)
    let centerY = y(metrics.transportY)
    let near = u(48)
    if let (number, first) = buttons.first {
      custom(first, number, centerX: near, centerY: centerY, width: width)
    }
    guard buttons.count > 1 else { return }
    if buttons.count == 2 {
      custom(
        buttons[1].button, buttons[1].number, centerX: screen.width - near, centerY: centerY,
        width: width)
    } else {
      more(true, centerX: screen.width - near, centerY: centerY, width: width)
    }
  }

  /// The largest number of buttons that have room beside each other on a small screen.
  private static let widestRow = 6

  /// Adds all custom buttons instead of the transport, and a button that shows the transport again.
  mutating func buttonRow() {
    let buttons = buttons.prefix(Self.widestRow)
    let count = buttons.count + 1
    let width = (screen.width - 2 * u(4)) / count
    let centerY = y(metrics.transportY)
    for (index, (number, button)) in buttons.enumerated() {
      custom(
        button, number, centerX: u(4) + width * index + width / 2, centerY: centerY, width: width)
    }
    more(false, centerX: screen.width - u(4) - width / 2, centerY: centerY, width: width)
  }

  /// Adds the button that shows the other buttons, or that ends this.
  private mutating func more(_ shows: Bool, centerX: Int, centerY: Int, width: Int) {
    icon(
      "more", shows ? .more : .cross, centerX: centerX, centerY: centerY,
      size: u(metrics.customIcon), Paint(.text))
    let frame = PixelRect(
      centerX: centerX, centerY: centerY, width: width, height: u(metrics.customHit.height))
    hit(
      "more", frame, face: frame.inset(by: u(4)), radius: frame.height / 2 - u(4),
      .showButtons(shows))
  }

  private mutating func custom(
    _ button: TemplateState.Button, _ index: Int, centerX: Int, centerY: Int, width: Int
  ) {
    let id = ElementID("custom.\(index)")
    let isActive = button.isEnabled
    let isOn = button.isSelected
    let paint = Paint(isOn ? .accent : .text, isActive ? 1 : palette.inertOpacity)
    let size = u(metrics.customIcon)
    if let words = Self.words(of: button) {
      let style = style(metrics.rateSize, .semibold, tabular: true, fixed: true)
      text(
        id, words, style, paint, x: centerX - width / 2,
        baseline: baseline(centerY, style), width: width, alignment: .center)
    } else {
      let picture = picture(of: button)
      icon(
        id, picture, centerX: centerX, centerY: centerY, size: size, paint,
        label: Self.isSkip(picture) ? Self.label(button.value) : nil)
    }
    if isOn {
      // A button that is on has a dot too, because a different colour alone is not enough.
      let dot = max(2, u(metrics.selectedDot.size))
      shape(
        ElementID("custom.\(index).dot"),
        PixelRect(
          centerX: centerX, centerY: centerY + size / 2 + u(metrics.selectedDot.below),
          width: dot, height: dot), Shape(radius: dot / 2, fill: paint))
    }
    let height = u(metrics.customHit.height)
    let frame = PixelRect(centerX: centerX, centerY: centerY, width: width, height: height)
    let face = min(width, height) - u(4)
    // The daemon refuses the tap on a grey button, and the refusal says why it is grey.
    let tap = ScreenAction.command(.template(.button(index)))
    hit(
      id, frame,
      face: PixelRect(centerX: centerX, centerY: centerY, width: face, height: face),
      radius: face / 2, isActive ? tap : nil, greyed: tap)
  }

  /// The text that a custom button shows instead of a picture. Nil for a button with a picture.
  private static func words(of button: TemplateState.Button) -> String? {
    switch button.kind {
    case .playbackRate: DisplayText.clean(button.value) ?? "1×"
    case .stars: "★\u{2009}\(DisplayText.clean(button.value) ?? "0")"
    default: nil
    }
  }

  private static func isSkip(_ picture: Icon.Picture) -> Bool {
    picture == .symbol(.skipForward) || picture == .symbol(.skipBackward)
  }

  private static func label(_ value: String?) -> String? {
    value.flatMap { Int($0) }.flatMap { label(.seconds($0)) }
  }

  private func picture(of button: TemplateState.Button) -> Icon.Picture {
    switch button.kind {
    case .shuffle:
      .symbol(button.value == "collections" ? .shuffleCollections : .shuffle)
    case .repeat: .symbol(button.value == "one" ? .repeatOne : .repeatAll)
    case .addToLibrary: .symbol(button.isSelected ? .added : .add)
    case .more: .symbol(.more)
    case .playbackRate, .stars: .symbol(.note)
    case .image(let name):
      if button.isSelected, let filled = Symbol.named(name + "Filled") {
        .symbol(filled)
      } else {
        Symbol.named(name).map { .symbol($0) } ?? .source(name)
      }
    }
  }
}
