internal import NowPlaying

// The header: the clock, the phones, the source, and the button for Up Next. A notice or the volume can replace the
// phones and the source.
extension SceneBuilder {
  var headerCenterY: Int { u(metrics.headerCenter) }

  /// Adds the header.
  /// - Parameters:
  ///   - title: the title of the button that closes a list; nil if no list is shown.
  ///   - line: a text about the list, which is shown instead of the phones and the source.
  ///   - showsMenu: true to show the key in the corner, which leads to the library.
  mutating func header(
    closing title: String? = nil, line: String? = nil, showsUpNext: Bool = true,
    showsMenu: Bool = true
  ) {
    var right = screen.width - margin
    if showsMenu { right = menuKey(right: right) }
    let x = clock()
    if let title {
      right = queueButton(title, isOpen: true, right: right)
    } else if showsUpNext, let title = upNextTitle {
      let rest = right - queueButtonWidth(title) - u(24)
      // If the notice needs the room of the Up Next button, this button is not shown.
      if !isNoticeShown || isFitting(context.notice?.text, x: x, right: rest) {
        right = queueButton(title, isOpen: false, right: right)
      }
    }
    if isVolumeShown || isNoticeShown {
      headerPill(x: x, right: right)
    } else if let line = DisplayText.clean(line), scale.arrangement != .compact {
      text(
        "list.line", line, style(metrics.statusSize, .medium), Paint(.secondaryText), x: x,
        baseline: baseline(headerCenterY, style(metrics.statusSize, .medium)), width: right - x)
    } else {
      status(x: x, right: right)
    }
  }

  /// Adds the time of day. Returns the left edge of the remaining room.
  mutating func clock() -> Int {
    guard let clock = DisplayText.clean(context.clock?.text) else { return margin }
    let style = style(metrics.clockSize, .semibold, tabular: true)
    return margin + u(metrics.clockGap)
      + text(
        "clock", clock, style, Paint(.text), x: margin, baseline: baseline(headerCenterY, style),
        width: screen.width / 3)
  }

  private var isVolumeShown: Bool { context.volumeUntil.map { context.now < $0 } ?? false }
  private var isNoticeShown: Bool { context.notice?.isShown(at: context.now) ?? false }

  /// True if the volume, a notice, or the message that the sound is muted replaces the title of a menu page. This
  /// message is shown as long as the sound is muted.
  var hasHeaderPill: Bool { isVolumeShown || isNoticeShown || state.volume.isMuted }

  /// Adds the volume, or the notice, or the message that the sound is muted.
  mutating func headerPill(x: Int, right: Int) {
    if isVolumeShown {
      volume(x: x, right: right)
    } else if let notice = context.notice, isNoticeShown {
      self.notice(notice, x: x, right: right)
    } else {
      message(.mute, words.menu.muted, Paint(.text), x: x, right: right, touched: nil)
    }
  }

  /// Adds the key that leads to the library. Returns the right edge of the remaining room.
  private mutating func menuKey(right: Int) -> Int {
    let size = menu.metrics.headerKey
    let face = PixelRect(
      x: right - u(size.width), y: headerCenterY - u(size.height) / 2, width: u(size.width),
      height: u(size.height))
    shape("browse", face, Shape(radius: face.height / 2, fill: Paint(.fill)))
    icon(
      "browse.icon", .menu, centerX: face.midX, centerY: face.midY, size: u(26), Paint(.text))
    cornerHit("browse", face, radius: face.height / 2, .menu(.showTab(.library)))
    return face.x - u(16)
  }

  private var upNextTitle: String? {
    switch state.template.upNext {
    case .off: nil
    case .systemTitle: words.upNext
    case .title(let title): DisplayText.clean(title) ?? words.upNext
    }
  }

  private func queueButtonWidth(_ title: String) -> Int {
    if let width = metrics.queueIconWidth { return u(width) }
    let labelWidth = min(
      width(title, style(metrics.statusSize, .semibold)), u(metrics.pillTitleWidest))
    return labelWidth + u(metrics.pillIcon) + u(metrics.pillGap) + 2 * u(metrics.pillPadding)
  }

  /// Adds the button that opens or closes a list. Returns the right edge of the remaining room.
  private mutating func queueButton(_ title: String, isOpen: Bool, right: Int) -> Int {
    let height = u(metrics.pillHeight)
    let icon = u(metrics.pillIcon)
    let style = style(metrics.statusSize, .semibold)
    let paint = Paint(isOpen ? .onDisc : .text)
    let symbol = isOpen ? Symbol.cross : .queue
    let padding = u(metrics.pillPadding)
    let labelWidth = min(width(title, style), u(metrics.pillTitleWidest))
    let pillWidth = queueButtonWidth(title)
    let pill = PixelRect(
      x: right - pillWidth, y: headerCenterY - height / 2, width: pillWidth, height: height)
    shape("upNext", pill, Shape(radius: height / 2, fill: Paint(isOpen ? .disc : .fill)))
    let isIconOnly = metrics.queueIconWidth != nil
    self.icon(
      "upNext.icon", symbol, centerX: isIconOnly ? pill.midX : pill.x + padding + icon / 2,
      centerY: headerCenterY, size: isOpen ? icon * 6 / 7 : icon, paint)
    if !isIconOnly {
      text(
        "upNext.label", title, style, paint, x: pill.x + padding + icon + u(metrics.pillGap),
        baseline: baseline(headerCenterY, style), width: labelWidth)
    }
    let left = pill.x - u(12)
    hit(
      "upNext",
      PixelRect(
        x: left, y: 0, width: pill.maxX + u(8) - left, height: u(metrics.headerHeight)),
      face: pill, radius: height / 2, isOpen ? .back : .command(.template(.upNext)))
    return pill.x - u(24)
  }

  // MARK: Notice and volume

  private var pillRadius: Int { u(metrics.pillHeight) / 2 }

  private mutating func pill(_ id: ElementID, x: Int, width: Int, height: Double) -> PixelRect {
    let height = u(height)
    let frame = PixelRect(x: x, y: headerCenterY - height / 2, width: width, height: height)
    shape(
      id, frame,
      Shape(
        radius: pillRadius, fill: Paint(.card), stroke: Paint(.line), strokeWidth: max(1, u(1))))
    return frame
  }

  private mutating func notice(_ notice: ScreenContext.Notice, x: Int, right: Int) {
    guard let text = DisplayText.clean(notice.text) else { return status(x: x, right: right) }
    message(
      notice.symbol, text, Paint(.warning), x: x, right: right,
      touched: notice.touch ?? (notice.ends == nil ? .dismissNotice : nil))
  }

  /// True if the whole text of a notice fits between `x` and `right`.
  private func isFitting(_ text: String?, x: Int, right: Int) -> Bool {
    guard let message = DisplayText.clean(text) else { return true }
    let room = min(right - x, u(metrics.pillWidest)) - noticeInset
    let letters = style(metrics.noticeSize, .semibold, fixed: true)
    return measure.extent(of: message, style: letters, width: room, lines: 3).lines <= 2
  }

  /// The width of a notice without its text.
  private var noticeInset: Int {
    2 * u(metrics.pillPadding) + u(metrics.pillIcon) + u(metrics.pillGap)
  }

  private mutating func message(
    _ symbol: Symbol, _ message: String, _ paint: Paint, x: Int, right: Int, touched: ScreenAction?
  ) {
    let padding = u(metrics.pillPadding)
    let icon = u(metrics.pillIcon)
    let gap = u(metrics.pillGap)
    let fixed = noticeInset
    let room = min(right - x, u(metrics.pillWidest)) - fixed
    // A message that is too wide for one line gets two lines. The header has no room for two lines of enlarged letters.
    // So the letters of a message with two lines are not enlarged.
    let oneLine = style(metrics.noticeSize, .semibold)
    let isLong = width(message, oneLine) > room
    let letters = isLong ? style(metrics.noticeSize, .semibold, fixed: true) : oneLine
    let extent = measure.extent(of: message, style: letters, width: room, lines: isLong ? 2 : 1)
    let pitch = letters.size * 6 / 5
    let frame = pill(
      "notice", x: x, width: fixed + extent.width,
      height: extent.lines > 1 ? metrics.longNoticeHeight : metrics.pillHeight)
    self.icon(
      "notice.icon", symbol, centerX: frame.x + padding + icon / 2, centerY: headerCenterY,
      size: icon, paint)
    text(
      "notice.text", message, letters, Paint(.text), x: frame.x + padding + icon + gap,
      baseline: baseline(headerCenterY, letters) - (extent.lines - 1) * pitch / 2, width: room,
      lines: isLong ? 2 : 1, pitch: pitch)
    if let touched {
      hit(
        "notice",
        PixelRect(x: frame.x, y: 0, width: frame.width, height: u(metrics.headerHeight)),
        face: frame, radius: pillRadius, touched)
    }
  }

  private mutating func volume(x: Int, right: Int) {
    let volume = state.volume
    let isSilent = volume.isMuted || volume.level == .silent
    let style = style(metrics.artistSize, .semibold, tabular: true)
    let padding = u(metrics.pillPadding)
    let icon = u(metrics.pillIcon)
    let gap = u(metrics.pillGap)
    let frame = pill(
      "volume", x: x, width: min(right - x, u(metrics.pillWidest)), height: metrics.pillHeight)
    self.icon(
      "volume.icon", isSilent ? .mute : .volume, centerX: frame.x + padding + icon / 2,
      centerY: headerCenterY, size: icon, Paint(.text))
    let numberWidth = width("100", style)
    let numberX = frame.maxX - padding - numberWidth
    text(
      "volume.number", "\(volume.level.percent)", style, Paint(.text), x: numberX,
      baseline: baseline(headerCenterY, style), width: numberWidth, alignment: .right)
    let height = u(8)
    let left = frame.x + padding + icon + gap
    let track = PixelRect(
      x: left, y: headerCenterY - height / 2, width: numberX - gap - left, height: height)
    shape("volume.track", track, Shape(radius: height / 2, fill: Paint(.track)))
    var filled = track
    filled.width = track.width * volume.level.thousandths / 1000
    let paint = volume.isMuted ? Paint(.secondaryText, 0.6) : Paint(.accent)
    shape("volume.bar", filled, Shape(radius: height / 2, fill: paint))
  }

  // MARK: Phones and source

  mutating func status(x: Int, right: Int) {
    var x = x
    if let (symbol, name) = bluetooth {
      guard statusItem("phone", .symbol(symbol), name, x: &x, right: right, mayShrink: true) else {
        return
      }
    }
    guard let source = context.source, let name = DisplayText.clean(source.name) else { return }
    let picture = context.sourcePicture.map { Icon.Picture.source($0) } ?? .symbol(source.symbol)
    _ = statusItem("source", picture, name, x: &x, right: right, mayShrink: false)
  }

  private var bluetooth: (Symbol, String)? {
    switch context.bluetooth {
    case .absent: return nil
    case .off: return (.bluetoothOff, words.bluetoothOff)
    case .on(let phones):
      guard let first = phones.first else { return (.bluetooth, words.noPhone) }
      let name = DisplayText.clean(first) ?? words.unnamedDevice
      // The number of phones stands before the name. After a long name, an ellipsis would hide the number.
      return (.bluetooth, phones.count > 1 ? "\(phones.count) · \(name)" : name)
    }
  }

  /// Adds an icon with a name. Returns false if there is no room.
  private mutating func statusItem(
    _ id: String, _ picture: Icon.Picture, _ name: String, x: inout Int, right: Int, mayShrink: Bool
  ) -> Bool {
    let style = style(metrics.statusSize, .medium)
    let icon = u(metrics.statusIcon)
    let isFirst = id == "phone" || bluetooth == nil
    let before = isFirst ? 0 : u(metrics.statusGap)
    let room = right - x - before - icon - u(metrics.statusIconGap)
    let wanted = min(width(name, style), u(metrics.statusWidest))
    guard mayShrink ? room >= 0 : room >= wanted else { return false }
    if !isFirst {
      let line = u(metrics.hairline)
      shape(
        ElementID("\(id).line"),
        PixelRect(x: x + u(4), y: headerCenterY - line / 2, width: max(1, u(1)), height: line),
        Shape(fill: Paint(.line, 2)))
      x += before
    }
    self.icon(
      ElementID("\(id).icon"), picture, centerX: x + icon / 2, centerY: headerCenterY, size: icon,
      Paint(.secondaryText))
    x += icon + u(metrics.statusIconGap)
    // If only a few letters of the name fit, the name is not shown, because it would not be useful.
    if room >= min(wanted, u(60)) {
      x += text(
        ElementID("\(id).name"), name, style, Paint(.secondaryText), x: x,
        baseline: baseline(headerCenterY, style), width: min(wanted, room))
    }
    x += u(16)
    return true
  }
}
