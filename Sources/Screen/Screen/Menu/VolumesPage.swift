internal import LibraryModel
internal import ScreenLayout

/// The pages of the volumes: sticks, the unit's own music, and phones.
struct VolumesPage: Sendable {
  private enum Page: Equatable, Sendable {
    case list
    /// A stick or a folder. The value is its identity.
    case volume(String)
    /// The files of a volume that cannot be played. The value is the identity of the volume.
    case problems(String)
    /// The question whether to forget an absent stick. The value is its identity.
    case question(String)
  }

  private var shown = Page.list
  private var window = RowWindow()
  /// If the controls of ``shown`` do not fit on the screen, they are divided into parts. This is the number of the
  /// visible part, from 0.
  private var formPage = 0

  /// Returns to the list if the volume of the page was removed. ``page(_:_:_:)`` already shows the list in this case.
  private mutating func leaveGoneVolume(_ volumes: [VolumeState]) {
    switch shown {
    case .volume(let id), .problems(let id), .question(let id):
      if !volumes.contains(where: { $0.report.identity == id }) { open(.list) }
    case .list: break
    }
  }

  /// Goes up one level. From the list of volumes, leaves the menu.
  mutating func goUp(_ volumes: [VolumeState]) -> MenuPages.Outcome {
    leaveGoneVolume(volumes)
    switch shown {
    case .list: return .leave()
    case .volume: shown = .list
    case .problems(let id), .question(let id): shown = .volume(id)
    }
    (window, formPage) = (RowWindow(), 0)
    return .stay()
  }

  mutating func perform(
    _ action: MenuAction, _ words: LocalizedWords, _ volumes: [VolumeState],
    _ capacity: MenuCapacity
  ) -> MenuPages.Outcome {
    leaveGoneVolume(volumes)
    switch (shown, action) {
    case (_, .turnPage(let direction)):
      window.turn(direction, capacity)
      if case .form(let form) = page(words, volumes, capacity).content {
        formPage = capacity.turned(form, direction)
      }
    case (.list, .choose(let id)): return .leave([.chooseSource(id)])
    case (.list, .rowKey(let id, .info)): open(.volume(id))
    case (.volume(let id), .choose(Self.playKey)): return .leave([.chooseSource(id)])
    case (.volume(let id), .choose(Self.readKey)): return .stay([.readSourceAnew(id)])
    case (.volume(let id), .choose(Self.forgetKey)): open(.question(id))
    case (.volume(let id), .choose(Self.problemsKey)): open(.problems(id))
    case (.question(let id), .answer(let isYes)):
      open(isYes ? .list : .volume(id))
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

  func page(_ words: LocalizedWords, _ volumes: [VolumeState], _ capacity: MenuCapacity)
    -> MenuPage
  {
    func volume(_ id: String) -> VolumeState? { volumes.first { $0.report.identity == id } }
    switch shown {
    case .volume(let id):
      if let volume = volume(id) { return page(about: volume, words) }
    case .problems(let id):
      if let volume = volume(id) {
        let heading = MenuPage.Heading(
          words.menu.cannotBePlayed(volume.report.problems), line: Self.title(volume, words))
        return MenuPage(
          .sources, heading: heading,
          window.content(VolumeProblems.rows(volume.report.causes, words), capacity))
      }
    case .question(let id):
      if let volume = volume(id) {
        return MenuPage(
          .sources, heading: MenuPage.Heading(words.menu.forget),
          .question(
            MenuQuestion(
              words.menu.forgetQuestion(volume.report.label), words.menu.forgetStickDetail,
              no: words.menu.keep, yes: words.menu.forget)))
      }
    case .list: break
    }
    return list(words, volumes, capacity)
  }

  private func list(_ words: LocalizedWords, _ volumes: [VolumeState], _ capacity: MenuCapacity)
    -> MenuPage
  {
    guard !volumes.isEmpty else {
      return MenuPage(
        .sources, .message(MenuMessage(.note, words.menu.noMusic, words.menu.noMusicDetail)))
    }
    // The volume that plays is first. The absent volumes are last.
    let ordered =
      volumes.filter(\.plays) + volumes.filter { !$0.plays && $0.report.condition != .absent }
      + volumes.filter { !$0.plays && $0.report.condition == .absent }
    return MenuPage(.sources, window.content(ordered.map { Self.row($0, words) }, capacity))
  }

  // MARK: A volume

  private func page(about volume: VolumeState, _ words: LocalizedWords) -> MenuPage {
    let report = volume.report
    let menu = words.menu
    var controls: [MenuControl] = []
    let pulling = volume.kind == .stick ? menu.canBePulled : nil
    switch report.condition {
    case .reading(let read, let all) where all > 0:
      controls.append(
        MenuControl(
          "reading", .bar(Double(read) / Double(all), "\(read) / \(all)"),
          title: menu.readingTitle,
          note: [menu.playsAlready, pulling].compactMap(\.self).joined(separator: " ")))
    case .unreadable: controls.append(MenuControl("copying", .text, note: menu.copyAgain))
    default:
      if let pulling, report.condition != .absent {
        controls.append(MenuControl("pulling", .text, note: pulling))
      }
    }
    if report.problems > 0 {
      var row = MenuRow(
        id: Self.problemsKey, .picture(MenuPicture(.warning)),
        menu.cannotBePlayed(report.problems),
        line: VolumeProblems.summary(report.causes, words))
      row.tone = .warning
      row.opensPage = !report.causes.isEmpty
      controls.append(MenuControl(Self.problemsKey, .row(row)))
    }
    let isAbsent = report.condition == .absent
    let isPlayable = report.songs > 0 && !isAbsent
    controls.append(
      .halfKey(Self.playKey, .play, menu.play, isPrimary: isPlayable, isActive: isPlayable))
    controls.append(
      isAbsent
        ? .halfKey(Self.forgetKey, .bin, menu.forget)
        : .halfKey(Self.readKey, .reload, menu.readAnew))
    let (line, _) = Self.line(volume, words)
    let kind = volume.kind == .stick ? menu.stick : nil
    return MenuPage(
      .sources,
      heading: MenuPage.Heading(
        Self.title(volume, words), line: [kind, line].compactMap(\.self).joined(separator: " · ")),
      .form(MenuForm(controls, page: formPage)))
  }

  // MARK: Rows

  private static func title(_ volume: VolumeState, _ words: LocalizedWords) -> String {
    volume.kind == .folder ? words.menu.builtIn : volume.report.label
  }

  private static func row(_ volume: VolumeState, _ words: LocalizedWords) -> MenuRow {
    let report = volume.report
    let symbol: Symbol =
      switch volume.kind {
      case .stick: report.condition == .absent ? .stickAbsent : .stick
      case .folder: .note
      case .phone: .phone
      case .app: .layers
      }
    var row = MenuRow(
      id: report.identity, .picture(MenuPicture(symbol)), title(volume, words))
    (row.line, row.tone) = line(volume, words)
    if volume.kind == .stick || volume.kind == .folder { row.key = .info }
    if volume.plays { row.condition = .current }
    switch report.condition {
    case .reading(let read, let all) where all > 0: row.progress = Double(read) / Double(all)
    // A phone that is not connected can be chosen: the unit then connects to it.
    case .absent where volume.kind != .phone: row.condition = .absent
    // A program that cannot play can be chosen: its answer says why.
    case .unreadable where volume.kind == .app: break
    case .empty, .refused, .unreadable: row.condition = .inert
    default: break
    }
    return row
  }

  private static func line(_ volume: VolumeState, _ words: LocalizedWords)
    -> (String, MenuRow.Tone)
  {
    let menu = words.menu
    let report = volume.report
    if volume.kind == .app {
      let words = [volume.plays ? menu.plays : nil, volume.reason].compactMap(\.self)
      return (words.joined(separator: " · "), volume.reason == nil ? .good : .warning)
    }
    let songs = volume.kind == .phone ? volume.app : menu.songCount(report.songs)
    if volume.plays {
      return ([menu.plays, songs].compactMap(\.self).joined(separator: " · "), .good)
    }
    switch report.condition {
    case .ready: return (songs ?? menu.connected, .usual)
    case .waiting: return (menu.waits, .usual)
    case .listing(let count): return ("\(menu.reading) \(count)", .usual)
    case .reading(let read, let all): return ("\(menu.reading) \(read) / \(all)", .usual)
    case .absent where volume.kind == .phone: return (menu.notConnected, .usual)
    case .absent:
      let count = report.songs > 0 ? songs : nil
      return ([count, menu.comesBack].compactMap(\.self).joined(separator: " · "), .usual)
    case .unreadable: return (menu.cannotBeRead, .warning)
    case .empty: return (menu.nothingOnIt, .usual)
    case .refused: return (menu.noRoom, .warning)
    }
  }
}
