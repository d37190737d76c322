internal import NowPlaying

// The page with the content that plays: cover, texts, progress bar, transport, custom buttons.
extension SceneBuilder {
  /// The horizontal position of the texts and controls.
  struct Column {
    var x: Int
    var width: Int
    var midX: Int { x + width / 2 }
  }

  var column: Column {
    let x = u(metrics.columnX) + (scale.arrangement == .portrait ? portraitShift : 0)
    let widest = metrics.columnWidest.isFinite ? u(metrics.columnWidest) : Int.max
    switch scale.arrangement {
    case .wide: return Column(x: x, width: u(metrics.pane.column))
    default: return Column(x: x, width: min(screen.width - margin - x, widest))
    }
  }

  /// The distance by which the parts are moved to the right, in pixels, so that they are centred on a screen that is
  /// wider than the scaled design.
  private var portraitShift: Int { (screen.width - u(metrics.base.width)) / 2 }

  var isHeld: Bool { state.isHeld }

  mutating func nowPlayingPage() {
    cover()
    header()
    texts()
    progress()
    if context.page == .buttons, metrics.customY == nil {
      buttonRow()
    } else {
      transport()
      customButtons()
    }
    if scale.arrangement == .wide { pane() }
    swipes()
  }

  // MARK: Cover

  mutating func cover(_ placeholder: String? = nil) {
    let side = u(metrics.cover.side)
    let frame = PixelRect(
      x: u(metrics.cover.x) + (scale.arrangement == .portrait ? portraitShift : 0),
      y: y(metrics.cover.y), width: side, height: side)
    let source: ImageSlot.Source
    if let placeholder {
      source = .placeholder(seed: placeholder)
    } else if case .artwork(let id) = state.artwork {
      source = .artwork(id: id, seed: seed)
    } else {
      source = .placeholder(seed: seed)
    }
    shadow = Background.Shadow(
      frame: frame, radius: u(metrics.coverRadius), blur: u(metrics.shadow.blur),
      offset: u(metrics.shadow.offset), opacity: palette.appearance == .night ? 0.42 : 0.20)
    glowCenter = PixelPoint(x: frame.x + frame.width * 11 / 20, y: frame.midY)
    image(
      "cover", frame, source, radius: u(metrics.coverRadius),
      veil: placeholder == nil && isHeld ? 1 : 0)
  }

  /// The seed of the placeholder. All tracks of an album have the same seed. The seed of a track without an album is
  /// its title.
  private var seed: String { NowPlayingLayout.placeholderSeed(state, isAway: false) }

  // MARK: Texts

  /// Why playback is interrupted, in words.
  private var reason: String? {
    switch state.hold {
    case .interruption(.call): words.pausedForCall
    case .interruption(.reversing): words.pausedForReversing
    case .interruption(.alarm): words.pausedForAlarm
    case .interruption(.other), .source: words.pausedBriefly
    case .outputLost: words.noOutput
    case .resuming: words.resuming
    case nil: nil
    }
  }

  var reasonSymbol: Symbol {
    switch state.hold {
    case .interruption(.call): .call
    case .interruption(.reversing): .reversing
    case .interruption(.alarm): .alarm
    case .outputLost: .mute
    case .interruption(.other), .source, .resuming, nil: .pause
    }
  }

  private mutating func texts() {
    let lines = state.lines
    let title = DisplayText.clean(lines.title) ?? words.untitled
    let artist = DisplayText.clean(lines.subtitle)
    let album = DisplayText.clean(lines.detail)
    if scale.arrangement == .compact {
      compactTexts(title, reason ?? artist)
    } else {
      columnTexts(title, artist, album)
    }
  }

  /// Adds the texts from the progress bar upwards, in the order album, artist, title.
  private mutating func columnTexts(_ title: String, _ artist: String?, _ album: String?) {
    let column = column
    let titleStyle = style(metrics.titleSize, .semibold)
    let titleLines =
      measure.extent(of: title, style: titleStyle, width: column.width, lines: 2).lines
    let second = reason ?? artist ?? album
    var third = reason != nil || artist == nil ? nil : album
    if third == second { third = nil }
    let last = y(barY) - u(metrics.textToBar)
    let isTight = titleLines > 1 && third != nil
    let tight = metrics.tight
    let pitch = scale.text(isTight ? tight.title : metrics.titlePitch)
    let artistPitch = scale.text(isTight ? tight.artist : metrics.artistPitch)
    let albumPitch = scale.text(isTight ? tight.album : metrics.albumPitch)
    // The album is not shown if large letters and a title of two lines leave no room for it.
    let top =
      last - albumPitch - artistPitch - (titleLines - 1) * pitch - titleStyle.capHeight
    if top < u(metrics.headerCenter + metrics.pillHeight / 2 + 8) + columnDrop { third = nil }
    var baseline = last
    if let third {
      text(
        "album", third, style(metrics.albumSize, .medium), Paint(.secondaryText), x: column.x,
        baseline: baseline, width: column.width)
      baseline -= albumPitch
    }
    if let second {
      let canOpen = reason == nil && state.template.isAlbumArtistEnabled
      let chevron = canOpen ? u(metrics.chevron.size + metrics.chevron.gap) : 0
      let style = style(metrics.artistSize, .medium)
      let filled = text(
        "artist", second, style, Paint(reason == nil ? .secondaryText : .good), x: column.x,
        baseline: baseline, width: column.width - chevron)
      if canOpen {
        icon(
          "artist.chevron", .chevronForward, centerX: column.x + filled + chevron / 2 + u(2),
          centerY: baseline - style.capHeight / 2, size: u(metrics.chevron.size),
          Paint(.secondaryText))
        openArtist(bottom: y(barY) - u(metrics.scrub.above))
      }
      baseline -= artistPitch
    }
    text(
      "title", title, titleStyle, Paint(.text), x: column.x,
      baseline: baseline - (titleLines - 1) * pitch, width: column.width, lines: 2, pitch: pitch)
  }

  private mutating func openArtist(bottom: Int) {
    let column = column
    let height = u(metrics.textHit)
    let frame = PixelRect(
      x: column.x - u(8), y: bottom - height, width: column.width + u(16), height: height)
    hit(
      "artist", frame, face: frame, radius: u(12), .command(.template(.albumArtist)))
  }

  /// If the texts are below the cover: the distance from the header to the lower edge of the cover, because the texts
  /// must not overlap the cover. If the texts are beside the cover: 0.
  private var columnDrop: Int {
    scale.arrangement == .portrait
      ? y(metrics.cover.y + metrics.cover.side) - u(metrics.headerCenter + metrics.pillHeight / 2)
      : 0
  }

  /// Adds the texts beside the small cover, vertically centred.
  /// The language that is sung, while *more* shows all buttons. Nil if it is not known.
  private var moreLanguage: String? {
    guard context.page == .buttons else { return nil }
    return DisplayText.clean(state.content?.metadata.text(.language)).map(LanguageName.of)
  }

  private mutating func compactTexts(_ title: String, _ artist: String?) {
    let column = column
    let titleStyle = style(metrics.titleSize, .semibold)
    let language = moreLanguage
    // Beside the small cover there is room for three lines.
    let limit = language == nil ? 2 : 1
    let titleLines =
      measure.extent(of: title, style: titleStyle, width: column.width, lines: limit).lines
    let pitch = scale.text(metrics.titlePitch)
    let line = scale.text(metrics.artistPitch)
    let below = artist == nil ? 0 : line
    let height =
      titleStyle.capHeight + (titleLines - 1) * pitch + below + (language == nil ? 0 : line)
    let middle = y(metrics.cover.y) + u(metrics.cover.side) / 2
    let first = middle - height / 2 + titleStyle.capHeight
    text(
      "title", title, titleStyle, Paint(.text), x: column.x, baseline: first, width: column.width,
      lines: limit, pitch: pitch)
    if let language {
      text(
        "language", language, style(metrics.artistSize, .medium), Paint(.secondaryText),
        x: column.x, baseline: first + (titleLines - 1) * pitch + below + line,
        width: column.width)
    }
    guard let artist else { return }
    text(
      "artist", artist, style(metrics.artistSize, .medium),
      Paint(reason == nil ? .secondaryText : .good), x: column.x,
      baseline: first + (titleLines - 1) * pitch + below, width: column.width)
    if reason == nil, state.template.isAlbumArtistEnabled {
      let frame = PixelRect(
        x: u(metrics.cover.x), y: y(metrics.cover.y), width: screen.width - 2 * margin,
        height: u(metrics.cover.side))
      hit(
        "artist", frame, face: frame.inset(by: -u(4)), radius: u(12),
        .command(.template(.albumArtist)))
    }
  }

  /// True if the arrangement has a row for custom buttons, but there are no custom buttons. Then the progress bar is
  /// placed lower, and the transport is placed lower and is larger.
  var isAlone: Bool { buttons.isEmpty && metrics.customY != nil }
  var barY: Double { isAlone ? metrics.aloneBarY : metrics.barY }

  // MARK: Swipes

  /// Sets the actions of swipes. As with the pages of a book, a swipe to the left changes to the next track.
  private mutating func swipes() {
    let transport = state.transport
    func action(_ button: TransportState.Button?, _ request: MediaRequest) -> ScreenAction? {
      guard let button, button.isEnabled, button.request == request, !isHeld else { return nil }
      return .media(request)
    }
    swipeLeft = action(transport.forward, .next)
    swipeRight = action(transport.back, .previous)
  }
}
