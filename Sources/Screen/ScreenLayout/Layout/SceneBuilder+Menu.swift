internal import NowPlaying

// The common parts of all menu pages: the header and the tabs. Other files add the content.
extension SceneBuilder {
  mutating func menuPage(_ page: MenuPage) {
    glowCenter = PixelPoint(x: screen.width / 5, y: screen.height * 3 / 10)
    // The order of the parts is the order in which a knob steps through them: the content, the keys that turn pages,
    // the header, the tabs.
    firstFocus = nil
    switch page.content {
    case .home(let home): homeContent(home)
    case .letters(let letters): lettersContent(letters)
    case .rows(let rows, let paging): rowsContent(rows, paging)
    case .covers(let covers, let paging): coversContent(covers, paging)
    case .collection(let collection): collectionContent(collection)
    case .search(let search): searchContent(search)
    case .message(let message): messageContent(message)
    case .keys(let keys): keysContent(keys)
    case .form(let form): formContent(form)
    case .question(let question): questionContent(question)
    case .code(let code): codeContent(code)
    case .adding(let adding): addingContent(adding)
    }
    if scale.arrangement == .wide { playingPane() }
    menuHeader(page)
    tabs(page)
  }

  // MARK: Header

  private mutating func menuHeader(_ page: MenuPage) {
    let metrics = menu.metrics
    let height = u(metrics.headerKey.height)
    let width = u(metrics.headerKey.width)
    var right = screen.width - margin
    let corner = PixelRect(
      x: right - width, y: headerCenterY - height / 2, width: width, height: height)
    right = corner.x - u(16)
    if page.heading != nil { backKey() }
    if let key = page.key { right = headerKey(key, right: right) }
    self.corner(corner)
    let clockEnd = clock()
    let left = page.heading == nil ? max(u(metrics.edges.left), clockEnd) : u(metrics.titleX)
    if hasHeaderPill {
      headerPill(x: page.heading == nil ? max(u(metrics.back.x), clockEnd) : left, right: right)
    } else if let heading = page.heading {
      title(heading, x: left, right: right)
    } else {
      status(x: clockEnd, right: right)
    }
  }

  private mutating func backKey() {
    let metrics = menu.metrics
    let back = metrics.back
    let size = u(back.size)
    let face = PixelRect(x: u(back.x), y: headerCenterY - size / 2, width: size, height: size)
    shape("back", face, Shape(radius: size / 2, fill: Paint(.fill)))
    icon(
      "back.icon", .back, centerX: face.midX, centerY: face.midY, size: u(26), Paint(.text))
    let reach = u(back.reach)
    hit(
      "back",
      PixelRect(
        x: face.x - reach, y: 0, width: size + 2 * reach, height: u(metrics.headerHeight)),
      face: face, radius: size / 2, .menu(.goUp))
  }

  /// Adds the key beside the corner. Returns the right edge of the remaining room.
  private mutating func headerKey(_ key: MenuPage.HeaderKey, right: Int) -> Int {
    let metrics = menu.metrics
    let height = u(metrics.headerKey.height)
    let (symbol, label): (Symbol, String?) =
      switch key {
      case .search: (.search, nil)
      case .add: (.plus, scale.arrangement == .compact ? nil : words.menu.add)
      }
    let style = style(20, .semibold)
    let size = u(metrics.headerKey.icon)
    let labelWidth = label.map { min(self.width($0, style), u(160)) } ?? 0
    let width =
      label == nil ? u(metrics.headerKey.width) : labelWidth + size + u(12) + u(40)
    let face = PixelRect(
      x: right - width, y: headerCenterY - height / 2, width: width, height: height)
    shape("key", face, Shape(radius: height / 2, fill: Paint(.fill)))
    icon(
      "key.icon", symbol, centerX: label == nil ? face.midX : face.x + u(20) + size / 2,
      centerY: face.midY, size: size, Paint(.text))
    if let label {
      text(
        "key.label", label, style, Paint(.text), x: face.x + u(32) + size,
        baseline: baseline(face.midY, style), width: labelWidth)
    }
    hit(
      "key",
      PixelRect(
        x: face.x - u(8), y: 0, width: width + u(16), height: u(metrics.headerHeight)),
      face: face, radius: height / 2, .menu(.headerKey(key)))
    return face.x - u(16)
  }

  /// Adds the corner, which leads to Now Playing. The corner shows the cover of the content that plays, with a veil and
  /// bars.
  private mutating func corner(_ face: PixelRect) {
    let radius = u(14)
    if state.content == nil {
      shape("corner", face, Shape(radius: radius, fill: Paint(.fill)))
      icon(
        "corner.icon", .note, centerX: face.midX, centerY: face.midY, size: u(28), Paint(.text))
    } else {
      image("corner", face, playingCover, radius: radius, veil: 1)
      icon(
        "corner.icon", .bars, centerX: face.midX, centerY: face.midY, size: u(26), Paint(.onVeil))
    }
    cornerHit("corner", face, radius: radius, .menu(.showNowPlaying))
  }

  /// Adds the hit area of the trailing upper corner. The area extends to the upper and to the trailing edge of the
  /// screen.
  mutating func cornerHit(
    _ id: ElementID, _ face: PixelRect, radius: Int, _ action: ScreenAction
  ) {
    let left = face.x - u(8)
    hit(
      id,
      PixelRect(x: left, y: 0, width: screen.width - left, height: u(menu.metrics.headerHeight)),
      face: face, radius: radius, action)
  }

  private mutating func title(_ heading: MenuPage.Heading, x: Int, right: Int) {
    let metrics = menu.metrics
    let title = DisplayText.clean(heading.title) ?? words.untitled
    let line = metrics.titleLines == nil ? nil : DisplayText.clean(heading.line)
    if let line, let lines = metrics.titleLines {
      text(
        "page.title", title, style(lines.size, .semibold), Paint(.text), x: x,
        baseline: headerCenterY + u(lines.title), width: right - x)
      text(
        "page.line", line, style(20, .medium), Paint(.secondaryText), x: x,
        baseline: headerCenterY + u(lines.line), width: right - x)
    } else {
      let style = style(metrics.titleSize, .semibold)
      text(
        "page.title", title, style, Paint(.text), x: x, baseline: baseline(headerCenterY, style),
        width: right - x)
    }
  }

  // MARK: Tabs

  private mutating func tabs(_ page: MenuPage) {
    let metrics = menu.metrics
    let label = metrics.railLabel.flatMap { label in
      let style = style(label.size, .semibold)
      // Texts are shown only if the texts of all tabs fit, because a single tab without a text would stand out.
      let isFitting = page.tabs.allSatisfy { width(words.menu.tab($0), style) <= u(label.widest) }
      return isFitting ? label : nil
    }
    for (index, tab) in page.tabs.enumerated() {
      let isOn = tab == page.tab
      let (face, area) = tabFrames(index, of: page.tabs.count)
      let id = "tab.\(tab.rawValue)"
      if isOn {
        shape(ElementID(id), face, Shape(radius: u(metrics.railRadius), fill: Paint(.fill)))
      }
      icon(
        ElementID("\(id).icon"), Self.symbol(of: tab), centerX: face.midX,
        centerY: label == nil ? face.midY : face.y + u(metrics.railIcon.y),
        size: u(metrics.railIcon.size), Paint(isOn ? .accent : .text))
      if let label {
        text(
          ElementID("\(id).label"), words.menu.tab(tab),
          style(label.size, isOn ? .semibold : .medium), Paint(isOn ? .text : .secondaryText),
          x: face.x + u(2), baseline: face.y + u(label.baseline), width: face.width - u(4),
          alignment: .center)
      }
      hit(
        ElementID(id), area, face: face, radius: u(metrics.railRadius), .menu(.showTab(tab)))
    }
  }

  private func tabFrames(_ index: Int, of count: Int) -> (face: PixelRect, area: PixelRect) {
    let layout = menu
    let metrics = layout.metrics
    guard let rail = metrics.rail else {
      let width = screen.width / MenuPage.Tab.allCases.count
      let top = screen.height - u(metrics.railBar.height)
      let area = PixelRect(
        x: index * width, y: top, width: width, height: u(metrics.railBar.height))
      return (
        PixelRect(
          x: area.x + u(metrics.railBar.inset), y: top + u(metrics.railBar.inset),
          width: width - 2 * u(metrics.railBar.inset), height: u(metrics.railBar.face)),
        area
      )
    }
    let height = layout.content.height / MenuPage.Tab.allCases.count
    let top = layout.content.y + index * height
    let above = index == 0 ? layout.content.y - u(metrics.headerHeight) : 0
    let isLast = index == MenuPage.Tab.allCases.count - 1
    let bottom = isLast ? screen.height : top + height
    return (
      PixelRect(
        x: u(rail.left), y: top + u(1), width: u(rail.right) - u(rail.left), height: height - u(2)),
      PixelRect(
        x: 0, y: top - above, width: layout.content.x - u(metrics.rowOverhang) - u(4),
        height: bottom - top + above)
    )
  }

  private static func symbol(of tab: MenuPage.Tab) -> Symbol {
    switch tab {
    case .library: .library
    case .phone: .phone
    case .sources: .layers
    case .settings: .sliders
    }
  }
}
