internal import NowPlaying

/// Collects the parts of a scene. All parts are first laid out from left to right. If the language is written from
/// right to left, the last step mirrors the parts.
struct SceneBuilder {
  let state: NowPlayingState
  let context: ScreenContext
  let measure: any TextMeasuring
  let scale: Scale
  let metrics: Metrics
  let words: LocalizedWords
  let palette: Palette
  let isMirrored: Bool
  /// The whole screen.
  let screen: PixelRect
  /// The positions of the parts of a menu page.
  var menu: MenuLayout
  /// The distance by which the parts below the header are moved down, in pixels. More than 0 if the screen is higher
  /// than the scaled design.
  let dropY: Int

  var elements: [Element] = []
  var hitAreas: [HitArea] = []
  var firstFocus: ElementID? = "transport.central"
  var pageTurns: PageTurns?
  var scrubber: Scrubber?
  var swipeLeft: ScreenAction?
  var swipeRight: ScreenAction?
  /// The value of ``Element/block`` for the parts that are added next.
  var block: PixelRect?
  var shadow: Background.Shadow?
  var glowCenter = PixelPoint(x: 0, y: 0)

  init(_ state: NowPlayingState, _ context: ScreenContext, _ measure: any TextMeasuring) {
    self.state = state
    self.context = context
    self.measure = measure
    scale = Scale(panel: context.panel, textScale: context.textScale)
    metrics = scale.metrics
    words = LocalizedWords(context.language)
    isMirrored = LocalizedWords.isRightToLeft(context.language)
    palette = Palette(context.colors, context.appearance)
    screen = PixelRect(context.panel.size)
    menu = MenuLayout(scale, screen: screen)
    dropY = (screen.height - scale(metrics.base.height)) / 2
    glowCenter = PixelPoint(x: screen.midX, y: screen.midY)
  }

  /// Converts units of the design (see ``Metrics``) to pixels.
  func u(_ units: Double) -> Int { scale(units) }
  /// Converts the vertical position of a part below the header from units to pixels of the screen.
  func y(_ units: Double) -> Int { scale(units) + dropY }
  var margin: Int { u(metrics.margin) }

  // MARK: Texts

  func style(
    _ size: Double, _ weight: TextStyle.Weight, tabular: Bool = false, fixed: Bool = false
  ) -> TextStyle {
    TextStyle(
      size: fixed ? u(size) : scale.text(size), weight: weight,
      isDisplay: size >= Metrics.displayFrom, hasTabularDigits: tabular)
  }

  func width(_ text: String, _ style: TextStyle) -> Int {
    measure.extent(of: text, style: style, width: nil, lines: 1).width
  }

  /// The baseline with which capital letters are vertically centred at `centerY`.
  func baseline(_ centerY: Int, _ style: TextStyle) -> Int { centerY + style.capHeight / 2 }

  /// Adds a text in a box from `x` to `x + width`, by default at the left edge of the box. Returns the width that the
  /// text fills, in pixels.
  @discardableResult
  mutating func text(
    _ id: ElementID, _ text: String, _ style: TextStyle, _ paint: Paint, x: Int, baseline: Int,
    width: Int, alignment: TextRun.Alignment = .left, lines: Int = 1, pitch: Int = 0
  ) -> Int {
    guard width > 0, !text.isEmpty else { return 0 }
    let extent = measure.extent(of: text, style: style, width: width, lines: lines)
    // The frame is wider than the text, because letters can extend beyond their advance width.
    let overhang = max(1, style.size / 10)
    let filled = min(extent.width, width)
    let left =
      switch alignment {
      case .left: x
      case .center: x + (width - filled) / 2
      case .right: x + width - filled
      }
    let frame = PixelRect(
      x: left - overhang, y: baseline - style.ascent, width: filled + 2 * overhang,
      height: style.ascent + (extent.lines - 1) * pitch + style.descent)
    let run = TextRun(
      text: text, style: style, paint: paint, baseline: baseline, pitch: pitch,
      lines: lines, alignment: alignment, layoutWidth: width, overhang: overhang)
    elements.append(Element(id: id, frame: frame, content: .text(run), block: block))
    return filled
  }

  // MARK: Shapes and pictures

  mutating func shape(_ id: ElementID, _ frame: PixelRect, _ shape: Shape) {
    guard !frame.isEmpty else { return }
    elements.append(Element(id: id, frame: frame, content: .shape(shape), block: block))
  }

  mutating func icon(
    _ id: ElementID, _ symbol: Symbol, centerX: Int, centerY: Int, size: Int, _ paint: Paint,
    label: String? = nil
  ) {
    icon(
      id, .symbol(symbol), centerX: centerX, centerY: centerY, size: size, paint, label: label)
  }

  mutating func icon(
    _ id: ElementID, _ picture: Icon.Picture, centerX: Int, centerY: Int, size: Int,
    _ paint: Paint, label: String? = nil
  ) {
    let icon = Icon(picture: picture, paint: paint, label: label, isMirrored: false)
    elements.append(
      Element(
        id: id,
        frame: PixelRect(centerX: centerX, centerY: centerY, width: size, height: size),
        content: .icon(icon), block: block))
  }

  mutating func image(
    _ id: ElementID, _ frame: PixelRect, _ source: ImageSlot.Source, radius: Int, veil: Double = 0
  ) {
    elements.append(
      Element(
        id: id, frame: frame,
        content: .image(ImageSlot(source: source, radius: radius, veil: veil)), block: block))
  }

  // MARK: Hit areas

  mutating func hit(
    _ id: ElementID, _ frame: PixelRect, face: PixelRect, radius: Int, _ action: ScreenAction?,
    greyed: ScreenAction? = nil, hold: HitArea.Hold? = nil
  ) {
    hitAreas.append(
      HitArea(
        id: id, frame: frame.intersection(screen), face: face, faceRadius: radius, action: action,
        greyedAction: action == nil ? greyed : nil,
        hold: action == nil ? nil : hold, block: block))
  }

  /// Adds a button: a pill (a rectangle with round ends) that contains an icon and, after it, a text.
  mutating func button(
    _ id: ElementID, _ frame: PixelRect, _ label: String, _ symbol: Symbol, isPrimary: Bool,
    _ action: ScreenAction
  ) {
    let paint = Paint(isPrimary ? .onDisc : .text)
    shape(id, frame, Shape(radius: frame.height / 2, fill: Paint(isPrimary ? .disc : .fill)))
    let style = style(metrics.buttonSize, .semibold)
    let icon = u(metrics.buttonIcon)
    let gap = u(metrics.pillGap)
    let room = frame.width - icon - gap - 2 * u(metrics.pillPadding)
    let filled = min(width(label, style), room)
    let left = frame.x + (frame.width - icon - gap - filled) / 2
    self.icon(
      ElementID("\(id).icon"), symbol, centerX: left + icon / 2, centerY: frame.midY, size: icon,
      paint)
    text(
      ElementID("\(id).label"), label, style, paint, x: left + icon + gap,
      baseline: baseline(frame.midY, style), width: room)
    hit(id, frame, face: frame, radius: frame.height / 2, action)
  }
}
