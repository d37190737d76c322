internal import LibraryModel
internal import ScreenLayout

/// The pages of the sources: sticks, the unit's own music, and phones.
struct SourcesPage: Sendable {
  private enum Page: Equatable, Sendable {
    case list
    /// A stick or a folder, by its identity.
    case source(String)
    /// The files of it that cannot be played.
    case problems(String)
    /// Whether an absent stick is to be forgotten.
    case question(String)
  }

  private var shown = Page.list
  private var window = RowWindow()
  /// The page of a list of controls.
  private var formPage = 0

  /// Returns to the list if the source of the page is gone, because the list is what the page then shows.
  private mutating func leaveGoneSource(_ sources: [MusicSource]) {
    switch shown {
    case .source(let id), .problems(let id), .question(let id):
      if !sources.contains(where: { $0.volume.identity == id }) { open(.list) }
    case .list: break
    }
  }

  /// Goes up one level. From the list, leaves the menu.
  mutating func goUp(_ sources: [MusicSource]) -> MenuPages.Outcome {
    leaveGoneSource(sources)
    switch shown {
    case .list: return .leave()
    case .source: shown = .list
    case .problems(let id), .question(let id): shown = .source(id)
    }
    (window, formPage) = (RowWindow(), 0)
    return .stay()
  }

  mutating func perform(
    _ action: MenuAction, _ words: LocalizedWords, _ sources: [MusicSource],
    _ capacity: MenuCapacity
  ) -> MenuPages.Outcome {
    leaveGoneSource(sources)
    switch (shown, action) {
    case (_, .turnPage(let direction)):
      window.turn(direction, capacity)
      if case .form(let form) = page(words, sources, capacity).content {
        formPage = capacity.turned(form, direction)
      }
    case (.list, .choose(let id)): return .leave([.chooseSource(id)])
    case (.list, .rowKey(let id, .info)): open(.source(id))
    case (.source(let id), .choose(Self.playKey)): return .leave([.chooseSource(id)])
    case (.source(let id), .choose(Self.readKey)): return .stay([.readSourceAnew(id)])
    case (.source(let id), .choose(Self.forgetKey)): open(.question(id))
    case (.source(let id), .choose(Self.problemsKey)): open(.problems(id))
    case (.question(let id), .answer(let isYes)):
      open(isYes ? .list : .source(id))
      if isYes { return .stay([.forgetSource(id)]) }
    default: break
    }
    return .stay()
  }

  private mutating func open(_ new: Page) {
    shown = new
    (window, formPage) = (RowWindow(), 0)
  }

  private static let playKey = "play"
  private static let readKey = "read"
  private static let forgetKey = "forget"
  private static let problemsKey = "problems"

  // MARK: Pages

  func page(_ words: LocalizedWords, _ sources: [MusicSource], _ capacity: MenuCapacity)
    -> MenuPage
  {
    func source(_ id: String) -> MusicSource? { sources.first { $0.volume.identity == id } }
    switch shown {
    case .source(let id):
      if let source = source(id) { return page(about: source, words) }
    case .problems(let id):
      if let source = source(id) {
        let heading = MenuPage.Heading(
          words.menu.cannotBePlayed(source.volume.problems), line: Self.title(source, words))
        return MenuPage(
          .sources, heading: heading,
          window.content(SourceProblems.rows(source.volume.causes, words), capacity))
      }
    case .question(let id):
      if let source = source(id) {
        return MenuPage(
          .sources, heading: MenuPage.Heading(words.menu.forget),
          .question(
            MenuQuestion(
              words.menu.forgetQuestion(source.volume.label), words.menu.forgetStickDetail,
              no: words.menu.keep, yes: words.menu.forget)))
      }
    case .list: break
    }
    return list(words, sources, capacity)
  }

  private func list(_ words: LocalizedWords, _ sources: [MusicSource], _ capacity: MenuCapacity)
    -> MenuPage
  {
    guard !sources.isEmpty else {
      return MenuPage(
        .sources, .message(MenuMessage(.note, words.menu.noMusic, words.menu.noMusicDetail)))
    }
    // What plays comes first, and what is absent comes last.
    let ordered =
      sources.filter(\.plays) + sources.filter { !$0.plays && $0.volume.condition != .absent }
      + sources.filter { !$0.plays && $0.volume.condition == .absent }
    return MenuPage(.sources, window.content(ordered.map { Self.row($0, words) }, capacity))
  }

  // MARK: A source

  private func page(about source: MusicSource, _ words: LocalizedWords) -> MenuPage {
    let volume = source.volume
    let menu = words.menu
    var controls: [MenuControl] = []
    let pulling = source.kind == .stick ? menu.canBePulled : nil
    switch volume.condition {
    case .reading(let read, let all) where all > 0:
      controls.append(
        MenuControl(
          "reading", .bar(Double(read) / Double(all), "\(read) / \(all)"),
          title: menu.readingTitle,
          note: [menu.playsAlready, pulling].compactMap(\.self).joined(separator: " ")))
    case .unreadable: controls.append(MenuControl("copying", .text, note: menu.copyAgain))
    default:
      if let pulling, volume.condition != .absent {
        controls.append(MenuControl("pulling", .text, note: pulling))
      }
    }
    if volume.problems > 0 {
      var row = MenuRow(
        id: Self.problemsKey, .picture(MenuPicture(.warning)),
        menu.cannotBePlayed(volume.problems),
        line: SourceProblems.summary(volume.causes, words))
      row.tone = .warning
      row.opensPage = !volume.causes.isEmpty
      controls.append(MenuControl(Self.problemsKey, .row(row)))
    }
    let isAbsent = volume.condition == .absent
    let isPlayable = volume.songs > 0 && !isAbsent
    controls.append(
      .halfKey(Self.playKey, .play, menu.play, isPrimary: isPlayable, isActive: isPlayable))
    controls.append(
      isAbsent
        ? .halfKey(Self.forgetKey, .bin, menu.forget)
        : .halfKey(Self.readKey, .reload, menu.readAnew))
    let (line, _) = Self.line(source, words)
    let kind = source.kind == .stick ? menu.stick : nil
    return MenuPage(
      .sources,
      heading: MenuPage.Heading(
        Self.title(source, words), line: [kind, line].compactMap(\.self).joined(separator: " · ")),
      .form(MenuForm(controls, page: formPage)))
  }

  // MARK: Rows

  private static func title(_ source: MusicSource, _ words: LocalizedWords) -> String {
    source.kind == .folder ? words.menu.builtIn : source.volume.label
  }

  private static func row(_ source: MusicSource, _ words: LocalizedWords) -> MenuRow {
    let volume = source.volume
    let symbol: Symbol =
      switch source.kind {
      case .stick: volume.condition == .absent ? .stickAbsent : .stick
      case .folder: .note
      case .phone: .phone
      }
    var row = MenuRow(
      id: volume.identity, .picture(MenuPicture(symbol)), title(source, words))
    (row.line, row.tone) = line(source, words)
    if source.kind != .phone { row.key = .info }
    if source.plays { row.condition = .current }
    switch volume.condition {
    case .reading(let read, let all) where all > 0: row.progress = Double(read) / Double(all)
    // A phone that is not connected can be chosen: the unit then connects it.
    case .absent where source.kind != .phone: row.condition = .absent
    case .empty, .refused, .unreadable: row.condition = .inert
    default: break
    }
    return row
  }

  private static func line(_ source: MusicSource, _ words: LocalizedWords)
    -> (String, MenuRow.Tone)
  {
    let menu = words.menu
    let volume = source.volume
    let songs = source.kind == .phone ? source.app : menu.songCount(volume.songs)
    if source.plays {
      return ([menu.plays, songs].compactMap(\.self).joined(separator: " · "), .good)
    }
    switch volume.condition {
    case .ready: return (songs ?? menu.connected, .usual)
    case .waiting: return (menu.waits, .usual)
    case .listing(let count): return ("\(menu.reading) \(count)", .usual)
    case .reading(let read, let all): return ("\(menu.reading) \(read) / \(all)", .usual)
    case .absent where source.kind == .phone: return (menu.notConnected, .usual)
    case .absent:
      // The number tells two sticks with the same label apart.
      let count = volume.songs > 0 ? songs : nil
      return ([count, menu.comesBack].compactMap(\.self).joined(separator: " · "), .usual)
    case .unreadable: return (menu.cannotBeRead, .warning)
    case .empty: return (menu.nothingOnIt, .usual)
    case .refused: return (menu.noRoom, .warning)
    }
  }
}
