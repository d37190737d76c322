// Pages with large keys, with a question, or with a message.
extension SceneBuilder {
  mutating func keysContent(_ keys: [MenuKey]) {
    let content = menu.content
    let numbers = keyNumbers(keys.count)
    let between = u(16)
    let width = (content.width - between) / 2
    let height = u(numbers.height)
    let pitch = height + u(numbers.gap)
    for (index, key) in keys.prefix(2 * menu.metrics.keyRows).enumerated() {
      let face = PixelRect(
        x: content.x + index % 2 * (width + between), y: content.y + index / 2 * pitch,
        width: width, height: height)
      if key.isPrimary { firstFocus = ElementID("keys.\(key.id)") }
      let half = u(numbers.gap) / 2
      // The hit areas of the first line must not overlap the hit areas of the header.
      let above = index < 2 ? min(half, content.y - u(menu.metrics.headerHeight)) : half
      large(key, face, numbers, above: above, below: u(numbers.gap) - half)
    }
  }

  /// The sizes of large keys. If a page has four lines of keys, the height of the keys is reduced, so that the four
  /// lines need only the height of three lines.
  private func keyNumbers(_ count: Int) -> KeyNumbers {
    var numbers = menu.metrics.keys
    guard count > 6, scale.arrangement != .portrait else { return numbers }
    (numbers.height, numbers.gap) = (76, 16)
    return numbers
  }

  private typealias KeyNumbers = (
    height: Double, gap: Double, icon: Double, title: Double, hasLines: Bool
  )

  private mutating func large(
    _ key: MenuKey, _ face: PixelRect, _ numbers: KeyNumbers, above: Int, below: Int
  ) {
    let id = "keys.\(key.id)"
    let isPrimary = key.isPrimary && key.isActive
    let opacity = key.isActive ? 1 : palette.inertOpacity
    shape(
      ElementID(id), face,
      Shape(radius: u(20), fill: Paint(isPrimary ? .disc : .fill, key.isActive ? 1 : 0.5)))
    let icon = u(numbers.icon)
    let left = face.x + (numbers.hasLines ? u(44) : u(12) + icon / 2)
    self.icon(
      ElementID("\(id).icon"), key.symbol, centerX: left, centerY: face.midY, size: icon,
      Paint(isPrimary ? .onDisc : key.opensPage ? .accent : .text, opacity))
    let textX = numbers.hasLines ? face.x + u(84) : left + icon / 2 + u(10)
    let width = face.maxX - textX - u(numbers.hasLines ? 16 : 8)
    let title = style(numbers.title, .semibold)
    let line = style(20, .medium)
    text(
      ElementID("\(id).label"), DisplayText.clean(key.title) ?? "", title,
      Paint(isPrimary ? .onDisc : .text, opacity), x: textX,
      baseline: numbers.hasLines && !key.line.isEmpty
        ? face.midY - u(5) : baseline(face.midY, title), width: width)
    if numbers.hasLines, let text = DisplayText.clean(key.line) {
      self.text(
        ElementID("\(id).line"), text, line,
        Paint(isPrimary ? .onDisc : .secondaryText, opacity), x: textX, baseline: face.midY + u(25),
        width: width)
    }
    hit(
      ElementID(id),
      PixelRect(
        x: face.x - u(8), y: face.y - above, width: face.width + u(16),
        height: face.height + above + below), face: face, radius: u(20),
      key.isActive ? .menu(.choose(key.id)) : nil)
  }

  mutating func questionContent(_ question: MenuQuestion) {
    let content = menu.content
    let isCompact = scale.arrangement == .compact
    let title = style(isCompact ? 26 : 34, .semibold)
    text(
      "question", DisplayText.clean(question.text) ?? "", title, Paint(.text), x: content.x,
      baseline: content.y + u(isCompact ? 30 : 80), width: content.width, lines: 2,
      pitch: scale.text(isCompact ? 30 : 42))
    text(
      "question.detail", question.detail, style(isCompact ? 20 : 24, .medium),
      Paint(.secondaryText), x: content.x, baseline: content.y + u(isCompact ? 96 : 164),
      width: content.width, lines: isCompact ? 2 : 3, pitch: scale.text(isCompact ? 26 : 34))
    let between = u(isCompact ? 12 : 32)
    let width = (content.width - between) / 2
    let height = u(isCompact ? 80 : 88)
    let no = PixelRect(
      x: content.x, y: content.maxY - height, width: width, height: height)
    var yes = no
    yes.x += width + between
    key(
      "question.no", no, question.no, .cross, isPrimary: false, isActive: true,
      .menu(.answer(false)))
    key(
      "question.yes", yes, question.yes, .check, isPrimary: true, isActive: true,
      .menu(.answer(true)))
    firstFocus = "question.no"
  }

  /// Adds a key with an icon and a text.
  /// - Parameter reach: the distance by which the hit area extends beyond the face: `x` to the left and right, `y` up
  ///   and down.
  mutating func key(
    _ id: ElementID, _ face: PixelRect, _ label: String?, _ symbol: Symbol?, isPrimary: Bool,
    isActive: Bool, radius: Int? = nil, reach: (x: Int, y: Int) = (0, 0), _ action: ScreenAction
  ) {
    let radius = radius ?? face.height / 2
    let paint = Paint(isPrimary && isActive ? .onDisc : .text, isActive ? 1 : palette.inertOpacity)
    shape(
      id, face,
      Shape(
        radius: radius, fill: Paint(isPrimary && isActive ? .disc : .fill, isActive ? 1 : 0.5)))
    let style = style(metrics.buttonSize, .semibold)
    let size = symbol == nil ? 0 : u(metrics.buttonIcon)
    let gap = symbol == nil || label == nil ? 0 : u(metrics.pillGap)
    let room = face.width - size - gap - 2 * u(metrics.pillGap)
    let filled = label.map { min(width($0, style), room) } ?? 0
    let left = face.x + (face.width - size - gap - filled) / 2
    if let symbol {
      icon(
        ElementID("\(id).icon"), symbol, centerX: left + size / 2, centerY: face.midY, size: size,
        paint)
    }
    if let label {
      text(
        ElementID("\(id).label"), label, style, paint, x: left + size + gap,
        baseline: baseline(face.midY, style), width: room)
    }
    hit(
      id,
      PixelRect(
        x: face.x - reach.x, y: face.y - reach.y, width: face.width + 2 * reach.x,
        height: face.height + 2 * reach.y), face: face, radius: radius, isActive ? action : nil)
  }

  mutating func messageContent(_ message: MenuMessage) {
    let content = menu.content
    let isCompact = scale.arrangement == .compact
    let isStacked = scale.arrangement == .portrait
    let side = u(menu.metrics.collection.side)
    let tile = PixelRect(x: content.x, y: content.y, width: side, height: side)
    shape("message", tile, Shape(radius: side * 2 / 9, fill: Paint(.fill)))
    icon(
      "message.icon", message.symbol, centerX: tile.midX, centerY: tile.midY, size: side / 2,
      Paint(.accent))
    let x = isStacked ? content.x : tile.maxX + u(isCompact ? 20 : 36)
    let top = isStacked ? tile.maxY + u(20) : content.y
    let width = content.maxX - x
    text(
      "message.title", message.title, style(isCompact ? 26 : 34, .semibold), Paint(.text), x: x,
      baseline: top + u(isCompact ? 30 : 44), width: width)
    text(
      "message.detail", message.detail, style(isCompact ? 20 : 24, .medium),
      Paint(.secondaryText), x: x, baseline: top + u(isCompact ? 62 : 88), width: width, lines: 3,
      pitch: scale.text(isCompact ? 26 : 34))
    guard let key = message.key else { return }
    let height = u(isCompact ? 80 : 88)
    self.key(
      "message.key",
      PixelRect(
        x: content.x, y: content.maxY - height, width: content.width, height: height), key.title,
      key.symbol, isPrimary: true, isActive: true, .menu(.choose(key.id)))
  }
}
