internal import NowPlaying

// The page that adds a phone or a remote control.
extension SceneBuilder {
  mutating func addingContent(_ adding: MenuAdding) {
    let content = menu.content
    let numbers = menu.metrics.adding
    let width = numbers.isStacked ? content.width : u(numbers.width)
    let part = PixelRect(x: content.x, y: content.y, width: width, height: u(numbers.height))
    instructions(adding, part)
    let left = numbers.isStacked ? content.x : part.maxX + u(28)
    let top = numbers.isStacked ? part.maxY : content.y + u(44)
    if !numbers.isStacked {
      shape(
        "adding.line",
        PixelRect(x: part.maxX, y: content.y, width: max(1, u(1.5)), height: content.height),
        Shape(fill: Paint(.line)))
      text(
        "adding.found", words.menu.foundNearby, style(20, .medium), Paint(.secondaryText),
        x: left, baseline: content.y + u(24), width: content.maxX - left)
    }
    let height = u(numbers.rowHeight)
    let geometry = RowGeometry(
      x: left, y: top, width: content.maxX - left, height: height, thumb: u(menu.metrics.thumb),
      gap: u(menu.metrics.rowGap), titleSize: menu.metrics.rowTitle, reach: 0)
    let count = max(0, (content.maxY - top + u(8)) / height)
    add(Array(adding.rows.prefix(count)), geometry)
  }

  private mutating func instructions(_ adding: MenuAdding, _ part: PixelRect) {
    let numbers = menu.metrics.adding
    let width = part.width - u(24)
    if numbers.hasPicture {
      icon(
        "adding.phone", .phone, centerX: part.x + u(22), centerY: part.y + u(40), size: u(44),
        Paint(.accent))
      let style = style(24, .semibold)
      text(
        "adding.title", words.menu.onYourPhone, style, Paint(.text), x: part.x + u(60),
        baseline: baseline(part.y + u(40), style), width: width - u(60))
    }
    text(
      "adding.what", words.menu.openBluetooth, style(20, .medium), Paint(.secondaryText),
      x: part.x, baseline: part.y + u(numbers.what), width: part.width - u(8))
    text(
      "adding.name", DisplayText.clean(adding.name) ?? "", style(numbers.name, .semibold),
      Paint(.text), x: part.x, baseline: part.y + u(numbers.nameY), width: width)
    if numbers.hasPicture {
      text(
        "adding.digits", words.menu.sameDigits, style(20, .medium), Paint(.secondaryText),
        x: part.x, baseline: part.y + u(196), width: width, lines: 2, pitch: scale.text(28))
    }
    if let seconds = adding.secondsLeft(at: context.now) {
      remaining(seconds, of: adding, part, width)
    } else {
      let face = PixelRect(
        x: part.x, y: part.y + u(numbers.barY) - u(numbers.hasPicture ? 28 : 56), width: width,
        height: u(numbers.hasPicture ? 72 : 60))
      key(
        "adding.again", face, words.menu.permitAgain, .plus, isPrimary: true, isActive: true,
        radius: u(20), .menu(.choose(adding.again)))
      firstFocus = "adding.again"
    }
  }

  private mutating func remaining(
    _ seconds: Int, of adding: MenuAdding, _ part: PixelRect, _ width: Int
  ) {
    let numbers = menu.metrics.adding
    let total = max(1, Double(adding.total.components.seconds))
    bar(
      "adding",
      PixelRect(x: part.x, y: part.y + u(numbers.barY), width: width, height: u(6)),
      Double(seconds) / total)
    let style = style(20, .medium, tabular: true)
    let time = ClockText.text(seconds)
    if numbers.hasPicture {
      text(
        "adding.time", "\(words.menu.openFor) \(time)", style, Paint(.secondaryText), x: part.x,
        baseline: part.y + u(numbers.barY + 42), width: width)
    } else {
      text(
        "adding.time", time, style, Paint(.secondaryText), x: part.x,
        baseline: part.y + u(numbers.nameY), width: width, alignment: .right)
    }
  }
}
