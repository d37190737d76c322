// The page of an album, an artist, a genre or a playlist, and a text in the place of a list.
extension SceneBuilder {
  // MARK: A collection

  mutating func collectionContent(_ collection: MenuCollection) {
    let layout = menu
    let metrics = layout.metrics
    let numbers = metrics.collection
    let content = layout.content
    let side = u(numbers.side)
    let cover = PixelRect(x: content.x, y: content.y, width: side, height: side)
    picture(
      "collection", collection.picture, cover,
      radius: collection.picture.isRound ? side / 2 : u(12), .usual)
    let keys =
      metrics.isCollectionStacked
      ? PixelRect(
        x: cover.maxX + u(20), y: content.y, width: content.maxX - cover.maxX - u(20), height: 0)
      : PixelRect(x: content.x, y: content.y, width: side, height: 0)
    let isActive = collection.isPlayable
    firstFocus = "play"
    collectionKey("play", .play, words.menu.play, keys, y: numbers.firstKey, isActive, .play)
    collectionKey(
      "shuffle", .shuffle, words.menu.shuffle, keys, y: numbers.secondKey, isActive, .shuffle)
    let left = metrics.isCollectionStacked ? content.x : content.x + u(numbers.rowsX)
    let top = metrics.isCollectionStacked ? content.y + layout.stackedRowsY : content.y
    let isPaged = collection.paging != nil
    let right = isPaged ? content.x + layout.pagedWidth : content.maxX
    let place = RowPlace(
      x: left, y: top, width: right - left, height: u(metrics.rowHeight),
      thumb: u(metrics.collectionThumb), gap: u(16), titleSize: metrics.rowSmallTitle,
      reach: isPaged ? layout.pagedReach : 0)
    add(Array(collection.rows.prefix(layout.collectionRows)), place)
    if let paging = collection.paging {
      pager(paging, y: top, height: layout.collectionRows * place.height)
    }
  }

  private mutating func collectionKey(
    _ id: ElementID, _ symbol: Symbol, _ label: String, _ column: PixelRect, y: Double,
    _ isActive: Bool, _ action: MenuAction
  ) {
    let numbers = menu.metrics.collection
    let face = PixelRect(
      x: column.x, y: column.y + u(y), width: column.width, height: u(numbers.key))
    let between = u(numbers.secondKey) - u(numbers.firstKey) - face.height
    key(
      id, face, scale.arrangement == .compact ? nil : label, symbol, isPrimary: id == "play",
      isActive: isActive, reach: (0, between / 2), .menu(action))
  }

  /// Adds a key with an icon and a text.
  /// - Parameter reach: how far the hit area is beyond the face, to the sides and up and down.
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

  // MARK: A text

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
