internal import LibraryModel
internal import ScreenLayout

/// The pages of the places with music: sticks, the unit's own music, and phones.
struct SourcesPage: Sendable {
  private enum Place: Equatable, Sendable {
    case list
    /// A stick or a folder, by its identity.
    case source(String)
    /// The files of it that cannot be played.
    case problems(String)
    /// Whether an absent stick is to be forgotten.
    case question(String)
  }

  /// What a touch causes.
  enum Outcome: Equatable, Sendable {
    case choose(String)
    case command(String, ScreenPages.SourceCommand)
  }

  private var place = Place.list
  private var window = RowWindow()
  /// The page of a list of controls.
  private var formPage = 0

  /// Returns to the list if the place of the page is gone, because the list is what the page then shows.
  private mutating func leaveGonePlace(_ sources: [MusicSource]) {
    switch place {
    case .source(let id), .problems(let id), .question(let id):
      if !sources.contains(where: { $0.volume.identity == id }) { open(.list) }
    case .list: break
    }
  }

  /// Goes up one level. False if the list is shown.
  mutating func goUp(_ sources: [MusicSource]) -> Bool {
    leaveGonePlace(sources)
    switch place {
    case .list: return false
    case .source: place = .list
    case .problems(let id), .question(let id): place = .source(id)
    }
    (window, formPage) = (RowWindow(), 0)
    return true
  }

  mutating func perform(
    _ action: BrowseAction, _ words: LocalizedWords, _ sources: [MusicSource],
    _ capacity: BrowseCapacity
  ) -> Outcome? {
    leaveGonePlace(sources)
    switch (place, action) {
    case (_, .turnPage(let direction)):
      window.turn(direction, capacity)
      if case .form(let form) = page(words, sources, capacity).content {
        formPage = capacity.turned(form, direction)
      }
    case (.list, .choose(let id)): return .choose(id)
    case (.list, .rowKey(let id, .info)): open(.source(id))
    case (.source(let id), .choose(Self.playKey)): return .choose(id)
    case (.source(let id), .choose(Self.readKey)): return .command(id, .readAnew)
    case (.source(let id), .choose(Self.forgetKey)): open(.question(id))
    case (.source(let id), .choose(Self.problemsKey)): open(.problems(id))
    case (.question(let id), .answer(let isYes)):
      open(isYes ? .list : .source(id))
      return isYes ? .command(id, .forget) : nil
    default: break
    }
    return nil
  }

  private mutating func open(_ new: Place) {
    place = new
    (window, formPage) = (RowWindow(), 0)
  }

  private static let playKey = "play"
  private static let readKey = "read"
  private static let forgetKey = "forget"
  private static let problemsKey = "problems"

  // MARK: Pages

  func page(_ words: LocalizedWords, _ sources: [MusicSource], _ capacity: BrowseCapacity)
    -> BrowsePage
  {
    func source(_ id: String) -> MusicSource? { sources.first { $0.volume.identity == id } }
    switch place {
    case .source(let id):
      if let source = source(id) { return page(about: source, words) }
    case .problems(let id):
      if let source = source(id) {
        let heading = BrowsePage.Heading(
          words.browse.cannotBePlayed(source.volume.problems), line: Self.title(source, words))
        return BrowsePage(
          .sources, heading: heading,
          window.content(SourceProblems.rows(source.volume.causes, words), capacity))
      }
    case .question(let id):
      if let source = source(id) {
        return BrowsePage(
          .sources, heading: BrowsePage.Heading(words.browse.forget),
          .question(
            BrowseQuestion(
              words.browse.forgetQuestion(source.volume.label), words.browse.forgetStickDetail,
              no: words.browse.keep, yes: words.browse.forget)))
      }
    case .list: break
    }
    return list(words, sources, capacity)
  }

  private func list(_ words: LocalizedWords, _ sources: [MusicSource], _ capacity: BrowseCapacity)
    -> BrowsePage
  {
    guard !sources.isEmpty else {
      return BrowsePage(
        .sources, .message(BrowseMessage(.note, words.browse.noMusic, words.browse.noMusicDetail)))
    }
    // What plays comes first, and what is absent comes last.
    let ordered =
      sources.filter(\.plays) + sources.filter { !$0.plays && $0.volume.condition != .absent }
      + sources.filter { !$0.plays && $0.volume.condition == .absent }
    return BrowsePage(.sources, window.content(ordered.map { Self.row($0, words) }, capacity))
  }

  // MARK: A place

  private func page(about source: MusicSource, _ words: LocalizedWords) -> BrowsePage {
    let volume = source.volume
    let browse = words.browse
    var controls: [BrowseControl] = []
    let pulling = source.kind == .stick ? browse.canBePulled : nil
    switch volume.condition {
    case .reading(let read, let all) where all > 0:
      controls.append(
        BrowseControl(
          "reading", .bar(Double(read) / Double(all), "\(read) / \(all)"),
          title: browse.readingTitle,
          note: [browse.playsAlready, pulling].compactMap(\.self).joined(separator: " ")))
    case .unreadable: controls.append(BrowseControl("copying", .text, note: browse.copyAgain))
    default:
      if let pulling, volume.condition != .absent {
        controls.append(BrowseControl("pulling", .text, note: pulling))
      }
    }
    if volume.problems > 0 {
      var row = BrowseRow(
        id: Self.problemsKey, .picture(BrowsePicture(.warning)),
        browse.cannotBePlayed(volume.problems),
        line: SourceProblems.summary(volume.causes, words))
      row.tone = .warning
      row.opensPage = !volume.causes.isEmpty
      controls.append(BrowseControl(Self.problemsKey, .row(row)))
    }
    let isAbsent = volume.condition == .absent
    let isPlayable = volume.songs > 0 && !isAbsent
    controls.append(
      .halfKey(Self.playKey, .play, browse.play, isPrimary: isPlayable, isActive: isPlayable))
    controls.append(
      isAbsent
        ? .halfKey(Self.forgetKey, .bin, browse.forget)
        : .halfKey(Self.readKey, .reload, browse.readAnew))
    let (line, _) = Self.line(source, words)
    let kind = source.kind == .stick ? browse.stick : nil
    return BrowsePage(
      .sources,
      heading: BrowsePage.Heading(
        Self.title(source, words), line: [kind, line].compactMap(\.self).joined(separator: " · ")),
      .form(BrowseForm(controls, page: formPage)))
  }

  // MARK: Rows

  private static func title(_ source: MusicSource, _ words: LocalizedWords) -> String {
    source.kind == .folder ? words.browse.builtIn : source.volume.label
  }

  private static func row(_ source: MusicSource, _ words: LocalizedWords) -> BrowseRow {
    let volume = source.volume
    let symbol: Symbol =
      switch source.kind {
      case .stick: volume.condition == .absent ? .stickAbsent : .stick
      case .folder: .note
      case .phone: .phone
      }
    var row = BrowseRow(
      id: volume.identity, .picture(BrowsePicture(symbol)), title(source, words))
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
    -> (String, BrowseRow.Tone)
  {
    let browse = words.browse
    let volume = source.volume
    let songs = source.kind == .phone ? source.app : browse.songCount(volume.songs)
    if source.plays {
      return ([browse.plays, songs].compactMap(\.self).joined(separator: " · "), .good)
    }
    switch volume.condition {
    case .ready: return (songs ?? browse.connected, .usual)
    case .waiting: return (browse.waits, .usual)
    case .listing(let count): return ("\(browse.reading) \(count)", .usual)
    case .reading(let read, let all): return ("\(browse.reading) \(read) / \(all)", .usual)
    case .absent where source.kind == .phone: return (browse.notConnected, .usual)
    case .absent:
      // The number tells two sticks with the same label apart.
      let count = volume.songs > 0 ? songs : nil
      return ([count, browse.comesBack].compactMap(\.self).joined(separator: " · "), .usual)
    case .unreadable: return (browse.cannotBeRead, .warning)
    case .empty: return (browse.nothingOnIt, .usual)
    case .refused: return (browse.noRoom, .warning)
    }
  }
}
