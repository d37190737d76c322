internal import NowPlaying

// Rows of a page, their pictures and keys, and the keys that turn pages.
extension SceneBuilder {
  /// The positions and sizes of the rows of a list.
  struct RowGeometry {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// The side of the pictures. 0 if the rows have no pictures.
    var thumb: Int
    var gap: Int
    var titleSize: Double
    /// The distance by which the hit area extends beyond the end of the row, in pixels.
    var reach: Int
  }

  mutating func rowsContent(_ rows: [MenuRow], _ paging: MenuPaging?) {
    let layout = menu
    let metrics = layout.metrics
    let width = paging == nil ? layout.content.width : layout.pagedWidth
    let geometry = RowGeometry(
      x: layout.content.x, y: layout.content.y, width: width, height: u(metrics.rowHeight),
      thumb: u(metrics.thumb), gap: u(metrics.rowGap), titleSize: metrics.rowTitle,
      reach: paging == nil ? 0 : layout.pagedReach)
    add(Array(rows.prefix(layout.rows)), geometry)
    if let paging { pager(paging, y: layout.content.y, height: layout.rows * geometry.height) }
  }

  mutating func add(_ rows: [MenuRow], _ geometry: RowGeometry) {
    for (index, row) in rows.enumerated() {
      let frame = PixelRect(
        x: geometry.x, y: geometry.y + index * geometry.height, width: geometry.width,
        height: geometry.height)
      let isAfterCurrent = index > 0 && rows[index - 1].condition == .current
      add(row, index, frame, geometry, hasLine: index > 0 && !isAfterCurrent)
    }
  }

  mutating func add(
    _ row: MenuRow, _ index: Int, _ frame: PixelRect, _ geometry: RowGeometry, hasLine: Bool
  ) {
    let metrics = menu.metrics
    let id = "row.\(index)"
    let isCurrent = row.condition == .current
    let isInert = row.condition == .absent || row.condition == .inert
    let opacity = isInert ? palette.inertOpacity : 1
    let overhang = u(metrics.rowOverhang)
    var face = frame
    face.x -= overhang
    face.width += overhang
    let textX = frame.x + leadWidth(row.lead, geometry)
    var end = frame.maxX - overhang - u(4)
    if isCurrent {
      firstFocus = ElementID(id)
      shape(ElementID("\(id).current"), face, Shape(radius: u(16), fill: Paint(.selection)))
    } else if hasLine {
      shape(
        ElementID("\(id).line"),
        PixelRect(x: textX, y: frame.y, width: end - textX, height: max(1, u(1))),
        Shape(fill: Paint(.line)))
    }
    lead(row, id, frame, geometry, opacity)
    if row.isEdited { return edited(row, id, frame, x: textX, end: face.maxX - u(8)) }
    var areaEnd = face.maxX + geometry.reach
    if let key = row.key {
      let width = u(metrics.rowKey)
      areaEnd = rowKey(
        row, id, key,
        PixelRect(x: end - width, y: frame.midY - u(34), width: width, height: u(68)), frame,
        reach: geometry.reach)
      end -= width + u(16)
    }
    let area = PixelRect(x: face.x, y: frame.y, width: areaEnd - face.x, height: frame.height)
    if row.key != nil { face.width = end - face.x }
    hit(
      ElementID(id), area, face: face.inset(by: u(4)), radius: u(14),
      isInert ? nil : .menu(.choose(row.id)))
    if row.opensPage {
      icon(
        ElementID("\(id).chevron"), .chevronForward, centerX: end - u(12), centerY: frame.midY,
        size: u(24), Paint(.secondaryText, opacity))
      end -= u(36)
    }
    if metrics.hasDurations, let duration = row.duration {
      let style = style(20, .medium, tabular: true)
      let time = ClockText.text(Int(clamping: duration.components.seconds))
      end -=
        u(20)
        + text(
          ElementID("\(id).time"), time, style, Paint(.secondaryText, opacity), x: textX,
          baseline: baseline(frame.midY, style), width: end - textX, alignment: .right)
    }
    texts(of: row, id, frame, geometry, x: textX, width: end - textX, opacity)
    if let progress = row.progress {
      bar(
        id, PixelRect(x: textX, y: frame.maxY - u(10), width: end - textX, height: u(4)), progress)
    }
  }

  /// The distance from the edge of a row to its title.
  private func leadWidth(_ lead: MenuRow.Lead, _ geometry: RowGeometry) -> Int {
    switch lead {
    case .number: u(44)
    case .picture: geometry.thumb > 0 ? geometry.thumb + geometry.gap : 0
    }
  }

  private mutating func lead(
    _ row: MenuRow, _ id: String, _ frame: PixelRect, _ geometry: RowGeometry, _ opacity: Double
  ) {
    switch row.lead {
    case .number(let number):
      if row.condition == .current {
        icon(
          ElementID("\(id).bars"), .bars, centerX: frame.x + u(14), centerY: frame.midY,
          size: u(26), Paint(.accent))
      } else if let number {
        let style = style(20, .medium, tabular: true)
        text(
          ElementID("\(id).number"), "\(number)", style, Paint(.secondaryText, opacity),
          x: frame.x - u(8), baseline: baseline(frame.midY, style), width: u(38),
          alignment: .right)
      }
    case .picture(let picture):
      guard geometry.thumb > 0 else { return }
      let square = PixelRect(
        x: frame.x, y: frame.midY - geometry.thumb / 2, width: geometry.thumb,
        height: geometry.thumb)
      self.picture(
        id, picture, square, radius: picture.isRound ? geometry.thumb / 2 : u(8), row.condition,
        tone: row.tone)
    }
  }

  private mutating func texts(
    of row: MenuRow, _ id: String, _ frame: PixelRect, _ geometry: RowGeometry, x: Int, width: Int,
    _ opacity: Double
  ) {
    let metrics = menu.metrics
    let title = DisplayText.clean(row.title) ?? words.untitled
    let weight = row.condition == .current ? TextStyle.Weight.bold : .semibold
    let titleID = ElementID("\(id).title")
    guard let line = DisplayText.clean(row.line) else {
      let isNumbered = if case .number = row.lead { true } else { false }
      var style = style(isNumbered ? metrics.rowSmallTitle : geometry.titleSize, weight)
      var lines = measure.extent(of: title, style: style, width: width, lines: 2).lines
      if lines > 1 {
        style = self.style(metrics.rowSmallTitle, weight)
        lines = 2
      }
      let pitch = style.size * 5 / 4
      text(
        titleID, title, style, Paint(.text, opacity), x: x,
        baseline: baseline(frame.midY, style) - (lines - 1) * pitch / 2, width: width,
        lines: lines, pitch: pitch)
      return
    }
    // If the height of the row is not `rowHeight`, both lines are moved by `drop`. So the distance between the lines
    // stays the same.
    let drop = (frame.height - u(metrics.rowHeight)) / 2
    text(
      titleID, title, style(geometry.titleSize, weight), Paint(.text, opacity), x: x,
      baseline: frame.y + u(metrics.rowBaselines.title) + drop, width: width)
    // If a row does not react, its line gives the reason. So the line is never grey.
    let role: ColorRole =
      switch row.tone {
      case .usual: .secondaryText
      case .good: .good
      case .warning: .warning
      }
    text(
      ElementID("\(id).subtitle"), line, style(20, .medium), Paint(role), x: x,
      baseline: frame.y + u(metrics.rowBaselines.line) + drop, width: width)
  }

  /// Adds a bar that shows the progress of a task.
  mutating func bar(_ id: String, _ track: PixelRect, _ part: Double) {
    shape(
      ElementID("\(id).track"), track, Shape(radius: track.height / 2, fill: Paint(.track)))
    var filled = track
    filled.width = Int((Double(track.width) * min(max(part, 0), 1)).rounded())
    shape(ElementID("\(id).bar"), filled, Shape(radius: track.height / 2, fill: Paint(.accent)))
  }

  // MARK: Pictures

  /// Adds a picture. Its icon is visible until the picture has arrived.
  mutating func picture(
    _ id: String, _ picture: MenuPicture, _ frame: PixelRect, radius: Int,
    _ condition: MenuCondition, tone: MenuRow.Tone = .usual
  ) {
    let isCurrent = condition == .current
    let isInert = condition == .absent || condition == .inert
    let opacity = isInert ? palette.inertOpacity : 1
    let corner = max(radius, frame.width / 4)
    shape(
      ElementID("\(id).tile"), frame, Shape(radius: corner, fill: Paint(.fill, opacity)))
    let role: ColorRole =
      switch tone {
      case .usual: .text
      case .good: .good
      case .warning: .warning
      }
    if !isCurrent {
      icon(
        ElementID("\(id).symbol"), picture.symbol, centerX: frame.midX, centerY: frame.midY,
        size: min(u(64), frame.width * 15 / 32), Paint(role, opacity))
    }
    let source = picture.isOfPlaying ? playingCover : picture.thumbnail.map { .thumbnail(id: $0) }
    if let source {
      image(
        ElementID("\(id).thumb"), frame, source, radius: radius,
        veil: isCurrent ? 1 : isInert ? 1.3 : 0)
    }
    if isCurrent {
      // The picture of the content that plays has a veil, so the bars on the picture have the colour for icons on a
      // veil.
      icon(
        ElementID("\(id).bars"), .bars, centerX: frame.midX, centerY: frame.midY,
        size: min(u(40), frame.width * 7 / 16),
        Paint(source == nil ? .accent : .onVeil))
    }
  }

  // MARK: Keys in rows

  /// Adds the key at the end of a row. The hit area of the key extends to the end of the row. Returns the left edge of
  /// this area.
  private mutating func rowKey(
    _ row: MenuRow, _ id: String, _ key: MenuRow.Key, _ face: PixelRect, _ frame: PixelRect,
    reach: Int
  ) -> Int {
    let keyID = ElementID("\(id).key")
    shape(keyID, face, Shape(radius: u(16), fill: Paint(.fill)))
    icon(
      ElementID("\(id).key.icon"), Self.symbol(of: key), centerX: face.midX, centerY: face.midY,
      size: u(28), Paint(.text))
    let left = face.x - u(8)
    hit(
      keyID,
      PixelRect(
        x: left, y: frame.y, width: frame.maxX + reach - left,
        height: frame.height), face: face, radius: u(16), .menu(.rowKey(row.id, key)))
    return left
  }

  /// Adds the keys for editing instead of the title of a row: two keys with a text, and a key that shows the title
  /// again.
  private mutating func edited(_ row: MenuRow, _ id: String, _ frame: PixelRect, x: Int, end: Int) {
    let gap = u(8)
    let close = u(menu.metrics.rowKey)
    let width = (end - x - close - 2 * gap) / 2
    let keys: [(MenuRow.Key, String?, Int, Int)] = [
      (.playNext, words.menu.playNext, x, width),
      (.remove, words.menu.remove, x + width + gap, width),
      (.close, nil, end - close, close),
    ]
    for (key, label, left, width) in keys {
      let face = PixelRect(x: left, y: frame.midY - u(36), width: width, height: u(72))
      // If there is no room for icon and text, only the icon is shown.
      let text = style(metrics.buttonSize, .semibold)
      let room = width - u(metrics.buttonIcon) - 3 * u(metrics.pillGap)
      let shown = label.flatMap { self.width($0, text) <= room ? $0 : nil }
      self.key(
        ElementID("\(id).\(key.rawValue)"), face, shown, Self.symbol(of: key), isPrimary: false,
        isActive: true,
        radius: u(16), reach: (gap / 2, (frame.height - face.height) / 2),
        .menu(.rowKey(row.id, key)))
    }
    firstFocus = ElementID("\(id).playNext")
  }

  private static func symbol(of key: MenuRow.Key) -> Symbol {
    switch key {
    case .info: .info
    case .edit: .more
    case .playNext: .playNext
    case .remove: .bin
    case .close: .cross
    }
  }

  // MARK: Keys that turn pages

  /// Adds the column of keys that turn pages. If the list has letters, the key that shows the letters is between these
  /// keys.
  mutating func pager(_ paging: MenuPaging, y: Int, height: Int) {
    notePageTurns(paging)
    let layout = menu
    let metrics = layout.metrics
    let width = u(metrics.pager.width)
    let gap = u(8)
    let x = layout.content.maxX - width
    let count = paging.letter == nil ? 2 : 3
    let keyHeight = (height - gap * (count - 1)) / count
    let areaX = layout.pagerAreaX
    // The hit areas extend to the edge of the screen. On a wide screen, they end before the pane with the content that
    // plays.
    let areaEnd = scale.arrangement == .wide ? layout.content.maxX + u(24) : screen.width
    func frames(_ index: Int) -> (face: PixelRect, area: PixelRect) {
      let top = y + index * (keyHeight + gap)
      let before = index == 0 ? 0 : gap / 2
      let after = index == count - 1 ? 0 : gap - gap / 2
      return (
        PixelRect(x: x, y: top, width: width, height: keyHeight),
        PixelRect(
          x: areaX, y: top - before, width: areaEnd - areaX, height: keyHeight + before + after)
      )
    }
    if let letter = paging.letter {
      let (face, area) = frames(1)
      letterKey(letter, face, area)
    }
    let turns: [(ElementID, Symbol, MenuPaging.Direction, Bool, Int)] = [
      ("page.back", .chevronUp, .back, paging.canGoBack, 0),
      ("page.forward", .chevronDown, .forward, paging.canGoForward, count - 1),
    ]
    for (id, symbol, direction, isActive, index) in turns {
      let (face, area) = frames(index)
      shape(id, face, Shape(radius: u(16), fill: Paint(.fill, isActive ? 1 : 0.5)))
      icon(
        ElementID("\(id).icon"), symbol, centerX: face.midX, centerY: face.midY, size: u(36),
        Paint(.text, isActive ? 1 : palette.inertOpacity))
      hit(
        id, area, face: face, radius: u(16), isActive ? .menu(.turnPage(direction)) : nil)
    }
  }

  /// Stores the first and the last entry of the page for ``PageTurns``. The hit areas of all entries were already
  /// added.
  private mutating func notePageTurns(_ paging: MenuPaging) {
    let entries = hitAreas.filter { area in
      guard area.action != nil else { return false }
      return ["row.", "cover.", "control."].contains { area.id.rawValue.hasPrefix($0) }
    }
    guard let first = entries.first?.id, let last = entries.last?.id else { return }
    pageTurns = PageTurns(
      first: first, last: last, canGoBack: paging.canGoBack, canGoForward: paging.canGoForward)
  }

  private mutating func letterKey(_ letter: String, _ face: PixelRect, _ area: PixelRect) {
    let metrics = menu.metrics
    shape("page.letters", face, Shape(radius: u(16), fill: Paint(.fill)))
    let text = DisplayText.clean(letter) ?? ""
    // Some lists have parts with numbers, such as `13–24`. Then the label *letters* would be wrong.
    let hasLabel = metrics.pagerLetterDrop > 0 && text.first?.isNumber != true
    let large = style(34, .semibold)
    let isFitting = width(text, large) <= face.width - u(8)
    let style = isFitting ? large : style(20, .semibold)
    self.text(
      "page.letter", text, style, Paint(.accent), x: face.x + u(2),
      baseline: baseline(face.midY - (hasLabel ? u(metrics.pagerLetterDrop) : 0), style),
      width: face.width - u(4), alignment: .center)
    if hasLabel {
      self.text(
        "page.letters.label", words.menu.allLetters, self.style(20, .medium),
        Paint(.secondaryText), x: face.x, baseline: face.midY + u(30), width: face.width,
        alignment: .center)
    }
    hit("page.letters", area, face: face, radius: u(16), .menu(.showLetters))
  }
}
