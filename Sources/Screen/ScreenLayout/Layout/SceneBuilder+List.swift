internal import NowPlaying

// Lists: a fixed number of rows, and two buttons that turn pages. Lists do not scroll.
extension SceneBuilder {
  mutating func listPage(title: String, rows: [ScreenContext.Row], first: Int) {
    header(closing: title)
    glowCenter = PixelPoint(x: screen.width / 5, y: screen.height * 3 / 10)
    let isLimited = context.rowLimit.map { rows.count > max($0, 0) } ?? false
    let rows = isLimited ? Array(rows.prefix(max(context.rowLimit ?? 0, 0))) : rows
    let top = scale.arrangement == .portrait ? u(metrics.listY) : y(metrics.listY)
    let height = u(metrics.rowHeight)
    let places = max(1, (screen.height - top) / height)
    // If rows were removed because of the limit, the last line of the list says so.
    let count = rows.count + (isLimited ? 1 : 0)
    guard count > 0 else { return emptyList(top: top) }
    let isPaged = count > places
    let start = isPaged ? min(max(first, 0), count - 1) : 0
    let right =
      isPaged
      ? screen.width - margin - u(metrics.pagerWidth + metrics.pagerGap) : screen.width - margin
    for place in 0..<min(places, count - start) {
      let frame = PixelRect(
        x: margin, y: top + place * height, width: right - margin, height: height)
      if start + place < rows.count {
        let isAfterCurrent = place > 0 && rows[start + place - 1].id == state.content?.id
        row(rows[start + place], place, frame, hasLine: place > 0 && !isAfterCurrent)
      } else {
        limit(place, frame)
      }
    }
    if isPaged { pager(start: start, places: places, count: count, top: top, left: right) }
  }

  private mutating func emptyList(top: Int) {
    let style = style(metrics.rowTitleSize, .medium)
    text(
      "list.empty", words.listEmpty, style, Paint(.secondaryText), x: margin,
      baseline: top + u(metrics.rowHeight) / 2 + style.capHeight / 2,
      width: screen.width - 2 * margin)
  }

  private mutating func limit(_ place: Int, _ frame: PixelRect) {
    let style = style(metrics.rowSubtitleSize, .medium)
    text(
      ElementID("row.\(place).limit"), words.listLimited, style, Paint(.secondaryText),
      x: frame.x + u(metrics.thumb + metrics.rowGap), baseline: baseline(frame.midY, style),
      width: frame.width - u(metrics.thumb + metrics.rowGap))
  }

  private mutating func row(
    _ row: ScreenContext.Row, _ place: Int, _ frame: PixelRect, hasLine: Bool
  ) {
    let id = "row.\(place)"
    let isCurrent = row.id == state.content?.id
    let thumb = u(metrics.thumb)
    let textX = frame.x + thumb + u(metrics.rowGap)
    var face = frame
    face.x -= u(metrics.rowOverhang)
    face.width += u(metrics.rowOverhang)
    if isCurrent {
      shape(
        ElementID("\(id).current"), face,
        Shape(radius: u(16), fill: Paint(.selection)))
    } else if hasLine {
      shape(
        ElementID("\(id).line"),
        PixelRect(
          x: textX, y: frame.y, width: frame.maxX - u(metrics.rowGap) - textX, height: max(1, u(1))),
        Shape(fill: Paint(.line)))
    }
    let picture = PixelRect(
      x: frame.x, y: frame.midY - thumb / 2, width: thumb, height: thumb)
    image(
      ElementID("\(id).thumb"), picture, slot(row), radius: u(metrics.thumbRadius),
      veil: isCurrent ? 1.2 : 0)
    if isCurrent {
      icon(
        ElementID("\(id).bars"), .bars, centerX: picture.midX, centerY: picture.midY, size: u(28),
        Paint(.onVeil))
    }
    var right = frame.maxX - u(metrics.rowGap)
    if metrics.hasRowDurations, let duration = row.duration {
      let style = style(metrics.timesSize, .medium, tabular: true)
      let time = ClockText.text(Int(clamping: duration.components.seconds))
      let filled = text(
        ElementID("\(id).time"), time, style, Paint(.secondaryText), x: textX,
        baseline: baseline(frame.midY, style), width: right - textX, alignment: .right)
      right -= filled + u(24)
    }
    rowTexts(
      id, row, x: textX, y: frame.y, width: right - textX, titleSize: metrics.rowTitleSize,
      weight: isCurrent ? .bold : .semibold)
    hit(
      ElementID(id), PixelRect(x: 0, y: frame.y, width: frame.maxX, height: frame.height),
      face: face, radius: u(16), .chooseRow(row.id))
  }

  private mutating func rowTexts(
    _ id: String, _ row: ScreenContext.Row, x: Int, y: Int, width: Int, titleSize: Double,
    weight: TextStyle.Weight = .semibold
  ) {
    let subtitle = DisplayText.clean(row.subtitle)
    let baselines = metrics.rowBaselines
    text(
      ElementID("\(id).title"), DisplayText.clean(row.title) ?? words.untitled,
      style(titleSize, weight), Paint(.text), x: x,
      baseline: y + u(subtitle == nil ? baselines.alone : baselines.title), width: width)
    if let subtitle {
      text(
        ElementID("\(id).subtitle"), subtitle, style(metrics.rowSubtitleSize, .medium),
        Paint(.secondaryText), x: x, baseline: y + u(baselines.subtitle), width: width)
    }
  }

  private func slot(_ row: ScreenContext.Row) -> ImageSlot.Source {
    let seed = DisplayText.clean(row.title) ?? "autoharp"
    return row.artworkID.map { .artwork(id: $0, seed: seed) } ?? .placeholder(seed: seed)
  }

  private mutating func pager(start: Int, places: Int, count: Int, top: Int, left: Int) {
    let gap = u(16)
    let width = u(metrics.pagerWidth)
    let height = (min(places * u(metrics.rowHeight), screen.height - top - u(8)) - gap) / 2
    let x = screen.width - margin - width
    let pages: [(ElementID, Symbol, Int, Bool)] = [
      ("list.up", .chevronUp, max(0, start - places), start > 0),
      ("list.down", .chevronDown, start + places, start + places < count),
    ]
    for (index, (id, symbol, first, isActive)) in pages.enumerated() {
      let face = PixelRect(x: x, y: top + index * (height + gap), width: width, height: height)
      shape(id, face, Shape(radius: u(16), fill: Paint(.fill, isActive ? 1 : 0.5)))
      icon(
        ElementID("\(id).icon"), symbol, centerX: face.midX, centerY: face.midY, size: u(36),
        Paint(.text, isActive ? 1 : palette.inertOpacity))
      hit(
        id,
        PixelRect(x: left, y: face.y, width: screen.width - left, height: height), face: face,
        radius: u(16), isActive ? .showRows(from: first) : nil)
    }
  }

  // MARK: Up Next

  /// The current content, and the tracks that come next.
  var upNextRows: [ScreenContext.Row] {
    var rows: [ScreenContext.Row] = []
    if let content = state.content {
      let lines = state.lines
      var artworkID: String?
      if case .artwork(let id) = state.artwork { artworkID = id }
      rows.append(
        ScreenContext.Row(
          id: content.id, title: lines.title ?? "", subtitle: lines.subtitle,
          duration: state.duration?.length, artworkID: artworkID))
    }
    return rows
      + state.upNext.map {
        ScreenContext.Row(
          id: $0.id, title: $0.title, subtitle: $0.artist, duration: $0.duration,
          artworkID: $0.artworkID)
      }
  }

  /// The next tracks, beside the column of a wide screen.
  mutating func pane() {
    let x = column.x + column.width + u(metrics.pane.gap)
    let width = screen.width - margin - x
    let height = u(metrics.rowHeight)
    let thumb = u(metrics.thumb)
    let textX = x + thumb + u(metrics.pane.rowGap)
    let rows = upNextRows.dropFirst().prefix(max(0, min(4, context.rowLimit ?? 4)))
    for (place, row) in rows.enumerated() {
      let top = y(metrics.listY) + place * height
      let id = "row.\(place)"
      if place > 0 {
        shape(
          ElementID("\(id).line"),
          PixelRect(x: textX, y: top, width: x + width - textX, height: max(1, u(1))),
          Shape(fill: Paint(.line)))
      }
      image(
        ElementID("\(id).thumb"),
        PixelRect(x: x, y: top + (height - thumb) / 2, width: thumb, height: thumb), slot(row),
        radius: u(metrics.thumbRadius))
      rowTexts(
        id, row, x: textX, y: top, width: x + width - textX, titleSize: metrics.pane.titleSize)
      let face = PixelRect(
        x: x - u(metrics.rowOverhang), y: top, width: width + u(metrics.rowOverhang + 8),
        height: height)
      hit(ElementID(id), face, face: face, radius: u(16), .chooseRow(row.id))
    }
  }
}
