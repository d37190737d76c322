// The pages of the library: the first page, letters, covers, and a collection (an album, an artist, a genre or a
// playlist).
extension SceneBuilder {
  // MARK: The first page

  mutating func homeContent(_ home: MenuHome) {
    let layout = menu
    let metrics = layout.metrics
    let content = layout.content
    let side = recentSide
    let count = metrics.recent.count
    let pitch = count > 1 ? (content.width - side) / (count - 1) : content.width
    for (index, cover) in home.recent.prefix(count).enumerated() {
      let frame = PixelRect(
        x: content.x + index * pitch, y: content.y, width: side, height: side)
      let isLast = index == count - 1
      self.cover(
        "recent.\(index)", cover, frame,
        titleWidth: !metrics.recent.hasTitles ? 0 : isLast ? side : min(pitch, side + u(10)),
        area: PixelRect(
          x: frame.x - u(6), y: content.y, width: min(pitch, side + u(12)),
          height: tilesY - (u(metrics.tiles.pitch) - u(metrics.tiles.height)) / 2 - content.y))
    }
    if home.recent.isEmpty, let line = home.line { homeLine(line, above: tilesY) }
    tiles(home.tiles, y: tilesY)
  }

  /// The side of the covers on the first page, which stand for lists that were played before. In the portrait
  /// arrangement, these covers fill the width.
  private var recentSide: Int {
    let metrics = menu.metrics
    guard scale.arrangement == .portrait else { return u(metrics.recent.side) }
    return (menu.content.width - u(metrics.tiles.gap)) / metrics.recent.count
  }

  private var tilesY: Int {
    scale.arrangement == .portrait
      ? menu.content.y + recentSide + u(60) : u(menu.metrics.tiles.y)
  }

  private mutating func homeLine(_ line: String, above bottom: Int) {
    let style = style(24, .medium)
    text(
      "home.line", line, style, Paint(.secondaryText), x: menu.content.x,
      baseline: baseline((menu.content.y + bottom) / 2, style), width: menu.content.width)
  }

  private mutating func tiles(_ tiles: [MenuTile], y: Int) {
    let layout = menu
    let metrics = layout.metrics.tiles
    let gap = u(metrics.gap)
    let width = (layout.content.width - gap * (metrics.columns - 1)) / metrics.columns
    let height = u(metrics.height)
    let pitch = u(metrics.pitch)
    for (index, tile) in tiles.enumerated() {
      let id = "tile.\(tile.id)"
      let face = PixelRect(
        x: layout.content.x + index % metrics.columns * (width + gap),
        y: y + index / metrics.columns * pitch, width: width, height: height)
      shape(ElementID(id), face, Shape(radius: u(metrics.hasIcons ? 20 : 14), fill: Paint(.fill)))
      let title = DisplayText.clean(tile.title) ?? ""
      let style = style(layout.metrics.tileSize, .semibold)
      if metrics.hasIcons {
        icon(
          ElementID("\(id).icon"), tile.symbol, centerX: face.x + u(40), centerY: face.midY,
          size: u(30), Paint(.accent))
        text(
          ElementID("\(id).label"), title, style, Paint(.text), x: face.x + u(72),
          baseline: baseline(face.midY, style), width: width - u(84))
      } else {
        text(
          ElementID("\(id).label"), title, style, Paint(.text), x: face.x + u(4),
          baseline: baseline(face.midY, style), width: width - u(8), alignment: .center)
      }
      let before = (pitch - height) / 2
      hit(
        ElementID(id),
        PixelRect(x: face.x - gap / 2, y: face.y - before, width: width + gap, height: pitch),
        face: face, radius: u(20), .menu(.choose(tile.id)))
    }
  }

  // MARK: Letters

  mutating func lettersContent(_ letters: [MenuLetter]) {
    let layout = menu
    let (columns, rows) = layout.metrics.letters
    let gap = u(8)
    let width = (layout.content.width + gap) / columns
    let height = (layout.content.height + gap) / rows
    for (index, letter) in letters.prefix(columns * rows).enumerated() {
      let id = "letter.\(index)"
      let face = PixelRect(
        x: layout.content.x + index % columns * width,
        y: layout.content.y + index / columns * height, width: width - gap, height: height - gap)
      let opacity = letter.isPresent ? 1 : palette.inertOpacity
      shape(
        ElementID(id), face,
        Shape(
          radius: u(layout.metrics.letterRadius), fill: Paint(.fill, letter.isPresent ? 1 : 0.4)))
      let text = DisplayText.clean(letter.text) ?? ""
      let large = style(28, .semibold)
      let style = self.width(text, large) <= face.width - u(4) ? large : style(20, .semibold)
      self.text(
        ElementID("\(id).label"), text, style, Paint(.text, opacity), x: face.x + u(1),
        baseline: baseline(face.midY, style), width: face.width - u(2), alignment: .center)
      let above = layout.content.y - u(layout.metrics.headerHeight)
      let before = index < columns ? min(gap / 2, above) : gap / 2
      hit(
        ElementID(id),
        PixelRect(
          x: face.x - gap / 2, y: face.y - before, width: width,
          height: height - gap + before + gap - gap / 2),
        face: face, radius: u(layout.metrics.letterRadius),
        letter.isPresent ? .menu(.choose(letter.id)) : nil)
    }
  }

  // MARK: Covers

  mutating func coversContent(_ covers: [MenuCover], _ paging: MenuPaging?) {
    let layout = menu
    let metrics = layout.metrics.covers
    guard metrics.columns > 0 else { return }
    let side = u(metrics.side)
    let width = paging == nil ? layout.content.width : layout.pagedWidth
    let pitchX = (width - side) / (metrics.columns - 1)
    let pitchY = u(metrics.pitch)
    for (index, cover) in covers.prefix(metrics.columns * layout.coverRows).enumerated() {
      let (column, row) = (index % metrics.columns, index / metrics.columns)
      let isLast = column == metrics.columns - 1
      let frame = PixelRect(
        x: layout.content.x + column * pitchX, y: layout.content.y + row * pitchY, width: side,
        height: side)
      self.cover(
        "cover.\(index)", cover, frame,
        titleWidth: isLast ? side + u(layout.metrics.pager.gap / 2) : pitchX - u(16),
        area: PixelRect(
          x: frame.x - u(8), y: frame.y - (row == 0 ? 0 : u(4)),
          width: isLast ? side + u(8) + layout.pagedReach : pitchX,
          height: pitchY - (row == 0 ? u(4) : 0)))
    }
    if let paging {
      pager(paging, y: layout.content.y, height: layout.rows * u(layout.metrics.rowHeight))
    }
  }

  /// Adds a cover with its title below the picture.
  /// - Parameter titleWidth: the width of the title. 0 if no title is shown.
  private mutating func cover(
    _ id: String, _ cover: MenuCover, _ frame: PixelRect, titleWidth: Int, area: PixelRect
  ) {
    let isAbsent = cover.condition == .absent
    if cover.condition == .current { firstFocus = ElementID(id) }
    let radius = u(scale.arrangement == .compact ? 10 : 12)
    picture(
      id, cover.picture, frame, radius: cover.picture.isRound ? frame.width / 2 : radius,
      cover.condition)
    if isAbsent {
      let size = u(frame.width > u(120) ? 44 : 32)
      let mark = PixelRect(
        x: frame.maxX - size - u(6), y: frame.maxY - size - u(6), width: size, height: size)
      shape(ElementID("\(id).absent"), mark, Shape(radius: size / 2, fill: Paint(.card)))
      icon(
        ElementID("\(id).absent.icon"), .stickAbsent, centerX: mark.midX, centerY: mark.midY,
        size: size * 3 / 5, Paint(.text))
    } else if let heard = cover.heard {
      heardBar(id, frame, heard)
    }
    text(
      ElementID("\(id).title"), DisplayText.clean(cover.title) ?? words.untitled,
      style(20, .semibold), Paint(isAbsent ? .secondaryText : .text), x: frame.x,
      baseline: frame.maxY + u(25), width: titleWidth)
    hit(
      ElementID(id), area, face: frame, radius: radius,
      isAbsent ? nil : .menu(.choose(cover.id)))
  }

  /// Adds the bar that shows how much of a list was heard. The bar follows the direction of time, so it is not
  /// mirrored.
  private mutating func heardBar(_ id: String, _ frame: PixelRect, _ heard: Double) {
    block = frame
    defer { block = nil }
    let track = PixelRect(
      x: frame.x + u(10), y: frame.maxY - u(18), width: frame.width - u(20), height: u(8))
    shape(
      ElementID("\(id).heard"), track, Shape(radius: track.height / 2, fill: Paint(.coverTrack)))
    var bar = track.inset(by: max(1, u(1)))
    bar.width = Int((Double(bar.width) * min(max(heard, 0), 1)).rounded())
    shape(
      ElementID("\(id).heard.bar"), bar,
      Shape(radius: bar.height / 2, fill: Paint(.onCoverTrack)))
  }

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
    if collection.canGoOn {
      collectionKey(
        "goOn", .skipForward, words.settings.goOn, keys, y: numbers.secondKey, isActive, .goOn)
    } else {
      collectionKey(
        "shuffle", .shuffle, words.menu.shuffle, keys, y: numbers.secondKey, isActive, .shuffle)
    }
    let left = metrics.isCollectionStacked ? content.x : content.x + u(numbers.rowsX)
    let top = metrics.isCollectionStacked ? content.y + layout.stackedRowsY : content.y
    let isPaged = collection.paging != nil
    let right = isPaged ? content.x + layout.pagedWidth : content.maxX
    let geometry = RowGeometry(
      x: left, y: top, width: right - left, height: u(metrics.rowHeight),
      thumb: u(metrics.collectionThumb), gap: u(16), titleSize: metrics.rowSmallTitle,
      reach: isPaged ? layout.pagedReach : 0)
    add(Array(collection.rows.prefix(layout.collectionRows)), geometry)
    if let paging = collection.paging {
      pager(paging, y: top, height: layout.collectionRows * geometry.height)
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
}
