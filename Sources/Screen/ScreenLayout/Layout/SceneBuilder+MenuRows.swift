internal import NowPlaying

// Rows of a page, and the keys that turn pages.
extension SceneBuilder {
  /// Where the rows of a list stand.
  struct RowPlace {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// The side of the pictures; 0 for none.
    var thumb: Int
    var gap: Int
    var titleSize: Double
    /// The distance by which the hit area is wider than the row, in pixels.
    var reach: Int
  }

  mutating func rowsContent(_ rows: [MenuRow], _ paging: MenuPaging?) {
    let layout = menu
    let metrics = layout.metrics
    let width = paging == nil ? layout.content.width : layout.pagedWidth
    let place = RowPlace(
      x: layout.content.x, y: layout.content.y, width: width, height: u(metrics.rowHeight),
      thumb: u(metrics.thumb), gap: u(metrics.rowGap), titleSize: metrics.rowTitle,
      reach: paging == nil ? 0 : layout.pagedReach)
    add(Array(rows.prefix(layout.rows)), place)
    if let paging { pager(paging, y: layout.content.y, height: layout.rows * place.height) }
  }

  mutating func add(_ rows: [MenuRow], _ place: RowPlace) {
    for (index, row) in rows.enumerated() {
      let frame = PixelRect(
        x: place.x, y: place.y + index * place.height, width: place.width, height: place.height)
      let isAfterCurrent = index > 0 && rows[index - 1].condition == .current
      add(row, index, frame, place, hasLine: index > 0 && !isAfterCurrent)
    }
  }

  mutating func add(
    _ row: MenuRow, _ index: Int, _ frame: PixelRect, _ place: RowPlace, hasLine: Bool
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
    let textX = frame.x + leadWidth(row.lead, place)
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
    lead(row, id, frame, place, opacity)
    if row.isEdited { return edited(row, id, frame, x: textX, end: face.maxX - u(8)) }
    var areaEnd = face.maxX + place.reach
    if let key = row.key {
      let width = u(metrics.rowKey)
      areaEnd = rowKey(
        row, id, key,
        PixelRect(x: end - width, y: frame.midY - u(34), width: width, height: u(68)), frame,
        reach: place.reach)
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
    texts(of: row, id, frame, place, x: textX, width: end - textX, opacity)
    if let progress = row.progress {
      bar(
        id, PixelRect(x: textX, y: frame.maxY - u(10), width: end - textX, height: u(4)), progress)
    }
  }

  /// The distance from the edge of a row to its title.
  private func leadWidth(_ lead: MenuRow.Lead, _ place: RowPlace) -> Int {
    switch lead {
    case .number: u(44)
    case .picture: place.thumb > 0 ? place.thumb + place.gap : 0
    }
  }

  private mutating func lead(
    _ row: MenuRow, _ id: String, _ frame: PixelRect, _ place: RowPlace, _ opacity: Double
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
      guard place.thumb > 0 else { return }
      let square = PixelRect(
        x: frame.x, y: frame.midY - place.thumb / 2, width: place.thumb, height: place.thumb)
      self.picture(
        id, picture, square, radius: picture.isRound ? place.thumb / 2 : u(8), row.condition,
        tone: row.tone)
    }
  }

  private mutating func texts(
    of row: MenuRow, _ id: String, _ frame: PixelRect, _ place: RowPlace, x: Int, width: Int,
    _ opacity: Double
  ) {
    let metrics = menu.metrics
    let title = DisplayText.clean(row.title) ?? words.untitled
    let weight = row.condition == .current ? TextStyle.Weight.bold : .semibold
    let titleID = ElementID("\(id).title")
    guard let line = DisplayText.clean(row.line) else {
      let isNumbered = if case .number = row.lead { true } else { false }
      var style = style(isNumbered ? metrics.rowSmallTitle : place.titleSize, weight)
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
    // Rows of another height keep the distance of their two lines.
    let drop = (frame.height - u(metrics.rowHeight)) / 2
    text(
      titleID, title, style(place.titleSize, weight), Paint(.text, opacity), x: x,
      baseline: frame.y + u(metrics.rowBaselines.title) + drop, width: width)
    // The line of a row that does not react says why, so it stays readable.
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

  /// Adds a bar that shows how much of a work is done.
  mutating func bar(_ id: String, _ track: PixelRect, _ part: Double) {
    shape(
      ElementID("\(id).track"), track, Shape(radius: track.height / 2, fill: Paint(.track)))
    var filled = track
    filled.width = Int((Double(track.width) * min(max(part, 0), 1)).rounded())
    shape(ElementID("\(id).bar"), filled, Shape(radius: track.height / 2, fill: Paint(.accent)))
  }
}
