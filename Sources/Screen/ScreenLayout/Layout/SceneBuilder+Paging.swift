// The keys that turn the pages of a list.
extension SceneBuilder {
  /// Adds the column of keys that turn pages, and the key of the letters between them.
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
    // The area reaches the edge of the screen, if nothing else stands there.
    let areaEnd = scale.arrangement == .wide ? layout.content.maxX + u(24) : screen.width
    func frames(_ place: Int) -> (face: PixelRect, area: PixelRect) {
      let top = y + place * (keyHeight + gap)
      let before = place == 0 ? 0 : gap / 2
      let after = place == count - 1 ? 0 : gap - gap / 2
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
    for (id, symbol, direction, isActive, place) in turns {
      let (face, area) = frames(place)
      shape(id, face, Shape(radius: u(16), fill: Paint(.fill, isActive ? 1 : 0.5)))
      icon(
        ElementID("\(id).icon"), symbol, centerX: face.midX, centerY: face.midY, size: u(36),
        Paint(.text, isActive ? 1 : palette.inertOpacity))
      hit(
        id, area, face: face, radius: u(16), isActive ? .menu(.turnPage(direction)) : nil)
    }
  }

  /// The entries of the list are the areas of rows and covers that were added before its keys.
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
    // The parts of a list have numbers. A word about letters does not fit to them.
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
