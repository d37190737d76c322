// Pages of settings: controls from top to bottom.
extension SceneBuilder {
  mutating func formContent(_ form: MenuForm) {
    let layout = menu
    let form = MenuCapacity(context.panel, textScale: context.textScale).page(of: form)
    let width = form.paging == nil ? layout.content.width : layout.pagedWidth
    var top = layout.content.y
    var rows = 0
    for line in form.lines {
      let height = u(line.map(\.height).max() ?? 0)
      let gap = u(line.contains { $0.isKey } ? 16 : 32)
      let part = (width - gap * (line.count - 1)) / max(line.count, 1)
      for (index, control) in line.enumerated() {
        let frame = PixelRect(
          x: layout.content.x + index * (part + gap), y: top, width: part, height: height)
        add(control, frame, &rows)
      }
      top += height
    }
    if let paging = form.paging {
      pager(paging, y: layout.content.y, height: layout.content.height)
    }
  }

  private mutating func add(_ control: MenuControl, _ frame: PixelRect, _ rows: inout Int) {
    switch control.kind {
    case .choice(let options, let selected): choice(control, options, selected, frame)
    case .steps(let steps): self.steps(control, steps, frame)
    case .bar(let part, let detail): barControl(control, part, detail, frame)
    case .row(let row):
      var area = frame
      area.height -= u(12)
      add(formRow: row, rows, area)
      rows += 1
    case .key(let tile, let isPrimary):
      var face = frame
      face.height = u(72)
      let id = ElementID("control.\(control.id)")
      if isPrimary { firstFocus = id }
      key(
        id, face, DisplayText.clean(tile.title), tile.symbol, isPrimary: isPrimary,
        isActive: control.isActive, radius: u(20), reach: (0, u(4)), .menu(.choose(tile.id)))
    case .space: break
    case .text:
      text(
        ElementID("control.\(control.id)"), DisplayText.clean(control.note) ?? "",
        style(20, .medium), Paint(.secondaryText), x: frame.x, baseline: frame.y + u(16),
        width: frame.width, lines: 2, pitch: scale.text(28))
    }
  }

  /// Adds the title of a control, and its note at the other end of the line.
  private mutating func heading(
    _ control: MenuControl, _ note: String?, _ frame: PixelRect, isValue: Bool = false
  ) {
    let id = "control.\(control.id)"
    let opacity = control.isActive ? 1 : palette.inertOpacity
    let baseline = frame.y + u(18)
    var end = frame.maxX
    let title = style(24, .semibold)
    let text = DisplayText.clean(control.title) ?? ""
    if let note = DisplayText.clean(note) {
      // The note gets only the room beside the title, so that the title is never truncated.
      let noteStyle = style(isValue ? 24 : 20, .medium, tabular: isValue)
      let room = frame.width - min(width(text, title), frame.width) - u(20)
      end -=
        u(20)
        + self.text(
          ElementID("\(id).note"), note, noteStyle,
          Paint(.secondaryText, isValue ? opacity : 1), x: frame.maxX - max(room, 0),
          baseline: baseline, width: room, alignment: .right)
    }
    self.text(
      ElementID("\(id).title"), text, title, Paint(.text, opacity), x: frame.x, baseline: baseline,
      width: end - frame.x)
  }

  // MARK: One of a few values

  private mutating func choice(
    _ control: MenuControl, _ options: [MenuControl.Option], _ selected: String?,
    _ frame: PixelRect
  ) {
    heading(control, control.note, frame)
    let id = "control.\(control.id)"
    let radius = u(16)
    let face = PixelRect(x: frame.x, y: frame.y + u(32), width: frame.width, height: u(64))
    let opacity = control.isActive ? 1 : palette.inertOpacity
    shape(
      ElementID(id), face, Shape(radius: radius, fill: Paint(.fill, control.isActive ? 1 : 0.5)))
    for (index, option) in options.enumerated() {
      let left = face.x + face.width * index / options.count
      let right = face.x + face.width * (index + 1) / options.count
      let part = PixelRect(x: left, y: face.y, width: right - left, height: face.height)
      let optionID = "\(id).\(option.id)"
      let isSelected = option.id == selected
      let isFilled = isSelected && control.isActive
      if isSelected {
        shape(
          ElementID("\(optionID).selected"), part.inset(by: u(4)),
          Shape(radius: radius - u(3), fill: Paint(isFilled ? .disc : .fill)))
      }
      text(
        ElementID("\(optionID).label"), DisplayText.clean(option.text) ?? "",
        fitting(option.text, part.width - u(8)), Paint(isFilled ? .onDisc : .text, opacity),
        x: part.x + u(4), baseline: baseline(part.midY, style(22, .semibold)),
        width: part.width - u(8), alignment: .center)
      hit(
        ElementID(optionID),
        PixelRect(x: part.x, y: part.y - u(8), width: part.width, height: part.height + u(16)),
        face: part.inset(by: u(4)), radius: radius - u(3),
        control.isActive ? .menu(.select(control.id, option.id)) : nil)
    }
  }

  /// The usual style of an option, or a smaller style if the text is too wide.
  private func fitting(_ text: String, _ room: Int) -> TextStyle {
    let usual = style(22, .semibold)
    return width(text, usual) <= room ? usual : style(20, .medium)
  }

  // MARK: A value with two keys

  private mutating func steps(
    _ control: MenuControl, _ steps: MenuControl.Steps, _ frame: PixelRect
  ) {
    let id = "control.\(control.id)"
    heading(
      control, steps.part == nil ? control.note : steps.text, frame, isValue: steps.part != nil)
    let opacity = control.isActive ? 1 : palette.inertOpacity
    let width = u(steps.part == nil ? 84 : 72)
    let less = PixelRect(x: frame.x, y: frame.y + u(32), width: width, height: u(64))
    var more = less
    more.x = frame.maxX - width
    key(
      ElementID("\(id).less"), less, nil, .minus, isPrimary: false,
      isActive: control.isActive && steps.canGoDown, radius: u(16), reach: (u(4), u(8)),
      .menu(.step(control.id, .back)))
    let middle = PixelRect(
      x: less.maxX + u(20), y: less.y, width: more.x - less.maxX - u(40), height: less.height)
    if let part = steps.part {
      stepsBar(id, middle, part, opacity)
    } else {
      let style = style(56, .semibold, tabular: true)
      text(
        ElementID("\(id).value"), steps.text, style, Paint(.text, opacity), x: middle.x,
        baseline: baseline(middle.midY, style), width: middle.width, alignment: .center)
    }
    key(
      ElementID("\(id).more"), more, nil, .plus, isPrimary: false,
      isActive: control.isActive && steps.canGoUp, radius: u(16), reach: (u(4), u(8)),
      .menu(.step(control.id, .forward)))
  }

  private mutating func stepsBar(_ id: String, _ room: PixelRect, _ part: Double, _ opacity: Double)
  {
    let track = PixelRect(x: room.x, y: room.midY - u(4), width: room.width, height: u(8))
    shape(
      ElementID("\(id).track"), track, Shape(radius: track.height / 2, fill: Paint(.track, opacity))
    )
    var filled = track
    filled.width = Int((Double(track.width) * min(max(part, 0), 1)).rounded())
    shape(
      ElementID("\(id).bar"), filled, Shape(radius: track.height / 2, fill: Paint(.accent, opacity))
    )
    let knob = u(26)
    shape(
      ElementID("\(id).knob"),
      PixelRect(centerX: filled.maxX, centerY: track.midY, width: knob, height: knob),
      Shape(radius: knob / 2, fill: Paint(.text, opacity)))
  }

  // MARK: A progress bar

  private mutating func barControl(
    _ control: MenuControl, _ part: Double, _ detail: String?, _ frame: PixelRect
  ) {
    let id = "control.\(control.id)"
    heading(control, detail, frame)
    bar(
      id, PixelRect(x: frame.x, y: frame.y + u(38), width: frame.width, height: u(10)), part)
    if let note = DisplayText.clean(control.note) {
      text(
        ElementID("\(id).line"), note, style(20, .medium), Paint(.secondaryText), x: frame.x,
        baseline: frame.y + u(84), width: frame.width)
    }
  }

  private mutating func add(formRow row: MenuRow, _ index: Int, _ frame: PixelRect) {
    let metrics = menu.metrics
    let geometry = RowGeometry(
      x: frame.x, y: frame.y, width: frame.width, height: frame.height, thumb: u(metrics.thumb),
      gap: u(metrics.rowGap), titleSize: metrics.rowTitle, reach: 0)
    add(row, index, frame, geometry, hasLine: false)
  }

  // MARK: A code

  mutating func codeContent(_ code: MenuCode) {
    let content = menu.content
    let isStacked = scale.arrangement == .portrait
    let side = min(content.height, isStacked ? content.width : content.width / 2)
    let square = PixelRect(x: content.x, y: content.y, width: side, height: side)
    shape("code.paper", square, Shape(radius: u(12), fill: Paint(.paper)))
    elements.append(Element(id: "code", frame: square, content: .code(code.text), block: block))
    let x = isStacked ? content.x : square.maxX + u(scale.arrangement == .compact ? 16 : 32)
    let top = isStacked ? square.maxY + u(20) : content.y
    let width = content.maxX - x
    text(
      "code.title", code.title, style(24, .semibold), Paint(.text), x: x, baseline: top + u(30),
      width: width)
    text(
      "code.detail", code.detail, style(20, .medium), Paint(.secondaryText), x: x,
      baseline: top + u(66), width: width, lines: 6, pitch: scale.text(28))
    if scale.arrangement != .compact, let line = DisplayText.clean(code.line) {
      text(
        "code.line", line, style(20, .medium, tabular: true), Paint(.secondaryText), x: x,
        baseline: content.maxY - u(8), width: width)
    }
  }
}

extension MenuControl {
  fileprivate var isKey: Bool { if case .key = kind { true } else { false } }
}
