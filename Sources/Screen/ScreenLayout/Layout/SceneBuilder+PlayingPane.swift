internal import NowPlaying

// The pane with the content that plays, beside a menu page on a wide screen.
extension SceneBuilder {
  /// The cover of the content that plays, or the placeholder of this content.
  var playingCover: ImageSlot.Source {
    let seed = NowPlayingLayout.placeholderSeed(state, isAway: false)
    if case .artwork(let id) = state.artwork { return .artwork(id: id, seed: seed) }
    return .placeholder(seed: seed)
  }

  mutating func playingPane() {
    guard state.content != nil else { return }
    let numbers = MenuMetrics.pane
    let top = menu.content.y
    let width = u(numbers.width)
    let x = screen.width - margin - width
    shape(
      "pane.line",
      PixelRect(
        x: x - u(24), y: top, width: max(1, u(1)), height: menu.content.height),
      Shape(fill: Paint(.line, 1.5)))
    let cover = PixelRect(x: x, y: top, width: u(numbers.cover), height: u(numbers.cover))
    image("pane.cover", cover, playingCover, radius: u(12))
    let lines = state.lines
    text(
      "pane.title", DisplayText.clean(lines.title) ?? words.untitled, style(26, .semibold),
      Paint(.text), x: x, baseline: cover.maxY + u(38), width: width)
    if let artist = DisplayText.clean(lines.subtitle) {
      text(
        "pane.artist", artist, style(20, .medium), Paint(.secondaryText), x: x,
        baseline: cover.maxY + u(68), width: width)
    }
    let face = state.transport
    block = PixelRect(x: x, y: top, width: width, height: menu.content.height)
    defer { block = nil }
    paneKey("pane.back", face.back, .previous, index: 0, x: x)
    paneKey("pane.central", face.central, .play, index: 1, x: x)
    paneKey("pane.forward", face.forward, .next, index: 2, x: x)
  }

  private mutating func paneKey(
    _ id: ElementID, _ button: TransportState.Button?, _ absent: Symbol, index: Int, x: Int
  ) {
    let numbers = MenuMetrics.pane
    let centerX = x + u(44) + index * u(numbers.pitch)
    let centerY = u(numbers.keysY)
    let isEnabled = button?.isEnabled == true
    let isActive = isEnabled && !isHeld
    let diameter = u(72)
    let face = PixelRect(centerX: centerX, centerY: centerY, width: diameter, height: diameter)
    var paint = Paint(.text, isActive ? 1 : palette.inertOpacity)
    var symbol = absent
    if id == "pane.central" {
      shape(id, face, Shape(radius: diameter / 2, fill: Paint(isActive ? .disc : .fill)))
      if isActive { paint = Paint(.onDisc) }
      symbol = self.symbol(of: button?.request)
    } else {
      switch button?.request {
      case .skipForward: symbol = .skipForward
      case .skipBackward: symbol = .skipBackward
      default: break
      }
    }
    icon(
      ElementID("\(id).icon"), symbol, centerX: centerX, centerY: centerY,
      size: u(id == "pane.central" ? 34 : 44), paint)
    hit(
      id,
      PixelRect(
        centerX: centerX, centerY: centerY, width: u(numbers.hit.0), height: u(numbers.hit.1)),
      face: face, radius: diameter / 2,
      isActive || isEnabled && id == "pane.central" ? button.map { .media($0.request) } : nil)
  }
}
