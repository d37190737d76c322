internal import NowPlaying

// The lists of Now Playing. They do not scroll: two keys turn their pages.
extension SceneBuilder {
  mutating func listPage(_ list: MenuList) {
    glowCenter = PixelPoint(x: screen.width / 5, y: screen.height * 3 / 10)
    firstFocus = nil
    menu = MenuLayout(listOn: scale, screen: screen)
    switch list.content {
    case .rows(let rows, _) where rows.isEmpty: emptyList()
    case .rows(let rows, let paging): rowsContent(rows, paging)
    case .parts(let parts): lettersContent(parts)
    }
    header(closing: DisplayText.clean(list.title) ?? words.upNext, line: list.line)
  }

  private mutating func emptyList() {
    let style = style(metrics.rowTitleSize, .medium)
    text(
      "list.empty", words.listEmpty, style, Paint(.secondaryText), x: margin,
      baseline: menu.content.y + u(metrics.rowHeight) / 2 + style.capHeight / 2,
      width: screen.width - 2 * margin)
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

  // MARK: Up Next

  /// The current content, and the next tracks.
  private var upNextRows: [ScreenContext.Row] {
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

  /// Adds the next tracks beside the column of a wide screen.
  mutating func pane() {
    let x = column.x + column.width + u(metrics.pane.gap)
    let width = screen.width - margin - x
    let height = u(metrics.rowHeight)
    let thumb = u(metrics.thumb)
    let textX = x + thumb + u(metrics.pane.rowGap)
    let rows = upNextRows.dropFirst().prefix(max(0, min(4, context.rowLimit ?? 4)))
    for (index, row) in rows.enumerated() {
      let top = y(metrics.listY) + index * height
      let id = "row.\(index)"
      if index > 0 {
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
