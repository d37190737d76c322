// The search page with nine keys for letters.
extension SceneBuilder {
  mutating func searchContent(_ search: MenuSearch) {
    let layout = menu
    let numbers = layout.metrics.search
    let content = layout.content
    let isStacked = scale.arrangement == .portrait
    let gap = u(numbers.gap)
    let keyHeight = u(numbers.keyHeight)
    let keysWidth = isStacked ? content.width : u(numbers.keysWidth)
    let keys = PixelRect(
      x: content.maxX - keysWidth,
      y: isStacked
        ? content.maxY - 4 * (keyHeight + gap) + gap / 2
        : content.y + (content.height - 4 * (keyHeight + gap) + gap) / 2,
      width: keysWidth, height: keyHeight)
    let fieldWidth = isStacked ? content.width : keys.x - u(numbers.between) - content.x
    let field = PixelRect(
      x: content.x, y: content.y, width: fieldWidth, height: u(numbers.fieldHeight))
    let isCompact = scale.arrangement == .compact
    add(
      Array(search.rows.prefix(layout.searchRows)),
      RowGeometry(
        x: field.x, y: field.maxY + u(isCompact ? 4 : 8), width: field.width,
        height: u(numbers.rowHeight), thumb: u(numbers.thumb), gap: u(isCompact ? 4 : 16),
        titleSize: isCompact ? 22 : 24, reach: 0))
    searchKeys(search, keys, gap: gap)
    searchField(search, field)
  }

  private mutating func searchField(_ search: MenuSearch, _ field: PixelRect) {
    let isCompact = scale.arrangement == .compact
    shape("field", field, Shape(radius: u(16), fill: Paint(.fill)))
    icon(
      "field.icon", .search, centerX: field.x + u(isCompact ? 24 : 30), centerY: field.midY,
      size: u(26), Paint(.secondaryText))
    let x = field.x + u(isCompact ? 44 : 56)
    let width = field.maxX - x - u(8)
    if let text = DisplayText.clean(search.text) {
      let style = style(isCompact ? 22 : 26, .semibold)
      self.text(
        "field.text", text, style, Paint(.text), x: x, baseline: baseline(field.midY, style),
        width: width)
    } else {
      let style = style(isCompact ? 20 : 22, .medium)
      let long = words.menu.searchHint
      text(
        "field.hint", self.width(long, style) <= width ? long : words.menu.search, style,
        Paint(.secondaryText), x: x,
        baseline: baseline(field.midY, style), width: width)
    }
  }

  private mutating func searchKeys(_ search: MenuSearch, _ first: PixelRect, gap: Int) {
    let width = (first.width - 2 * gap) / 3
    for (index, letters) in search.keys.prefix(9).enumerated() {
      let face = PixelRect(
        x: first.x + index % 3 * (width + gap), y: first.y + index / 3 * (first.height + gap),
        width: width, height: first.height)
      searchKey(
        ElementID("key.\(index + 1)"), face, letters, isActive: search.canType, gap,
        .type(index + 1))
    }
    let y = first.y + 3 * (first.height + gap)
    let half = (first.width - gap) / 2
    searchKey(
      "key.space",
      PixelRect(x: first.x, y: y, width: half, height: first.height), words.menu.space,
      isActive: search.canType, gap, .space)
    searchKey(
      "key.erase",
      PixelRect(x: first.x + half + gap, y: y, width: half, height: first.height), nil,
      isActive: !search.text.isEmpty, gap, .erase)
  }

  /// - Parameter label: the text on the key. Nil for the key that erases a letter.
  private mutating func searchKey(
    _ id: ElementID, _ face: PixelRect, _ label: String?, isActive: Bool, _ gap: Int,
    _ action: MenuAction
  ) {
    let paint = Paint(.text, isActive ? 1 : palette.inertOpacity)
    shape(id, face, Shape(radius: u(16), fill: Paint(.fill, isActive ? 1 : 0.5)))
    if let label {
      let size = scale.arrangement == .compact ? 20.0 : label.count < 4 ? 24 : 22
      let wanted = style(size, .semibold)
      let style = width(label, wanted) <= face.width ? wanted : style(20, .semibold, fixed: true)
      text(
        ElementID("\(id).label"), label, style, paint, x: face.x,
        baseline: baseline(face.midY, style), width: face.width, alignment: .center)
    } else {
      icon(
        ElementID("\(id).icon"), .erase, centerX: face.midX, centerY: face.midY, size: u(28),
        paint)
    }
    hit(
      id,
      PixelRect(
        x: face.x - gap / 2, y: face.y - gap / 2, width: face.width + gap,
        height: face.height + gap), face: face, radius: u(16), isActive ? .menu(action) : nil)
  }
}
