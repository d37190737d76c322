package import LibraryModel
internal import NowPlaying
package import ScreenLayout

/// Stores which page is shown, and decides which requests an action causes.
package struct ScreenPages: Sendable {
  /// A request to the daemon.
  package enum Request: Equatable, Sendable {
    /// A command of the surface. If the command is refused, the screen shows a notice, except when
    /// `isSilent` is true.
    case command(ScreenAction, isSilent: Bool)
    /// Jumps to an item of Up Next or of the album.
    case playItem(String)
    /// Requests the artist with this name, or the rows of the album that plays if the library has no such
    /// artist.
    case artist(String?)
    case answerPairing(isAccepted: Bool)
    case pairPhone
    case endSafeMode
    /// Asks the library. The number belongs to the answer.
    case askLibrary(Int, LibraryQuestion)
    /// Plays a list, or one of its rows and what follows.
    case playList(TrackList, RowReference?, PlayMode)
    /// Plays a place with music, where it was left.
    case chooseSource(String)
    /// A command about a phone, by its address.
    case phone(String, PhoneCommand)
    /// Asks for a part of the queue. The number belongs to the answer.
    case askQueue(Int, QueuePage.Question)
    case editQueue(QueueEdit, revision: Int)
    /// A command about a place with music, by its identity.
    case source(String, SourceCommand)
    /// A change of a setting, or a question about the unit.
    case setting(SettingRequest)
  }

  /// What a page of settings asks for.
  package enum SettingRequest: Equatable, Sendable {
    case set(key: String, value: String)
    /// Sets the clock by this many seconds.
    case changeTime(seconds: Int)
    case readVersions
    /// Erases the personal data, and restarts the machine.
    case erasePersonalData
    /// Runs the checks, and reads the space of the storage.
    case runChecks
  }

  /// A change of the queue.
  package enum QueueEdit: Equatable, Sendable {
    /// Moves an entry before another one; nil for the end.
    case move(Int, before: Int?)
    /// Removes the entry with this title.
    case remove(Int, title: String)
    case undo
  }

  /// A command about a place with music.
  package enum SourceCommand: Equatable, Sendable {
    /// Reads all files again.
    case readAnew
    /// Removes an absent place from the library.
    case forget
  }

  /// A command about a phone.
  package enum PhoneCommand: Equatable, Sendable {
    case connect, disconnect, setFirstChoice, forget
    /// Pairs with a device that was found.
    case add
    /// Permits pairing and searches for devices, or ends this. No phone is meant.
    case find, stopFinding
  }

  /// The page of Now Playing.
  package enum Page: Equatable, Sendable {
    case nowPlaying
    /// Now Playing with all custom buttons.
    case buttons
    case queue
    /// The songs of the album that plays, and the first one that is shown.
    case album(title: String, rows: [MenuRow], window: RowWindow)
  }

  package private(set) var page = Page.nowPlaying
  private var queue = QueuePage()
  /// True if one of the pages behind the corner is shown, and not ``page``.
  package private(set) var isMenuOpen = false
  package var menu: MenuPages
  private var isAlbumRequested = false
  /// True while the page of an artist opens. It is shown when its first answer has arrived.
  private var isArtistOpening = false

  package init(_ capacity: MenuCapacity) { menu = MenuPages(capacity) }

  /// The page that is shown.
  package func shown(_ facts: MenuPages.Facts) -> ScreenContext.Page {
    if isMenuOpen { return .menu(menu.page(facts)) }
    switch page {
    case .nowPlaying: return .nowPlaying
    case .buttons: return .buttons
    case .queue: return .list(queue.list(facts.words, queueFacts(facts)))
    case .album(let title, let rows, let window):
      let (shown, paging) = window.part(
        album(rows, facts), menu.library.capacity.forLists)
      return .list(MenuList(title, .rows(shown, paging)))
    }
  }

  /// The songs of the album that can be reached, with the one that plays.
  private func album(_ rows: [MenuRow], _ facts: MenuPages.Facts) -> [MenuRow] {
    let marked = rows.map { row in
      var row = row
      if row.id == facts.nowPlaying.content?.id { row.condition = .current }
      return row
    }
    return RowWindow.limited(marked, to: facts.reachableRows, facts.words)
  }

  private func queueFacts(_ facts: MenuPages.Facts) -> QueuePage.Facts {
    QueuePage.Facts(
      facts.nowPlaying, menu.library.capacity,
      limit: facts.reachableRows)
  }

  /// Performs an action: changes the page, and returns the requests to the daemon. `current` is the
  /// identity of the content that plays.
  package mutating func perform(
    _ action: ScreenAction, current: String?, _ facts: MenuPages.Facts
  ) -> [Request] {
    // Another touch replaces the request for an artist or an album.
    if case .command(.media) = action {
    } else {
      isAlbumRequested = false
      isArtistOpening = false
    }
    switch action {
    case .menu(let action):
      if case .showTab = action { return perform(action, facts) }
      return isMenuOpen ? perform(action, facts) : perform(inList: action, current, facts)
    case .back where isMenuOpen: return perform(.goUp, facts)
    case .command(.template(.upNext)):
      page = .queue
      // The command only informs observers (T4). If there are no observers, this is not an error.
      return [.command(action, isSilent: true)]
        + requests(queue.open(menu.library.capacity))
    case .command(.template(.albumArtist)):
      isAlbumRequested = true
      return [.command(action, isSilent: true), .artist(facts.artist)]
    case .command:
      if case .buttons = page, case .command(.template) = action { page = .nowPlaying }
      return [.command(action, isSilent: false)]
    case .chooseRow(let id):
      page = .nowPlaying
      return id == current ? [] : [.playItem(id)]
    case .showButtons(let all): page = all ? .buttons : .nowPlaying
    case .back:
      if case .queue = page, queue.goUp() { return [] }
      page = .nowPlaying
    case .answerPairing(let isAccepted): return [.answerPairing(isAccepted: isAccepted)]
    case .pairPhone: return [.pairPhone]
    case .undo(let revision): return [.editQueue(.undo, revision: revision)]
    case .dismissNotice: break
    case .endSafeMode: return [.endSafeMode]
    }
    return []
  }

  /// Performs a touch on a list of Now Playing.
  private mutating func perform(
    inList action: MenuAction, _ current: String?, _ facts: MenuPages.Facts
  ) -> [Request] {
    switch page {
    case .queue: return requests(queue.perform(action, queueFacts(facts)))
    case .album(let title, let rows, var window):
      switch action {
      case .choose(let id):
        page = .nowPlaying
        return id == current ? [] : [.playItem(id)]
      case .turnPage(let direction):
        window.turn(direction, menu.library.capacity.forLists)
        page = .album(title: title, rows: rows, window: window)
      default: break
      }
    case .nowPlaying, .buttons: break
    }
    return []
  }

  private func requests(_ outcomes: [QueuePage.Outcome]) -> [Request] {
    outcomes.map { outcome in
      switch outcome {
      case .play(let item): .playItem(item)
      case .ask(let number, let question): .askQueue(number, question)
      case .move(let entry, let other, let revision):
        .editQueue(.move(entry, before: other), revision: revision)
      case .remove(let entry, let revision, let title):
        .editQueue(.remove(entry, title: title), revision: revision)
      }
    }
  }

  /// Receives an answer about the queue.
  package mutating func receive(_ answer: QueuePage.Answer, number: Int) -> [Request] {
    requests(queue.receive(answer, number: number, menu.library.capacity))
  }

  /// Opens the page of the requested artist. False if the rows have no artist with this name.
  package mutating func receiveArtist(_ rows: [LibraryRow], name: String) -> (
    isFound: Bool, requests: [Request]
  ) {
    guard let artist = rows.first(where: { $0.kind == .artist && $0.title == name }) else {
      return (false, [])
    }
    guard isAlbumRequested, case .nowPlaying = page else { return (true, []) }
    isAlbumRequested = false
    isArtistOpening = true
    return (true, menu.open(artist))
  }

  /// Receives the requested album. Shows the album only if no other page is open, and if no
  /// ``ScreenAction/back`` has cancelled the request.
  package mutating func receiveAlbum(title: String, rows: [MenuRow]) {
    guard isAlbumRequested, case .nowPlaying = page else { return }
    isAlbumRequested = false
    if !rows.isEmpty { page = .album(title: title, rows: rows, window: RowWindow()) }
  }

  private mutating func perform(_ action: MenuAction, _ facts: MenuPages.Facts) -> [Request] {
    switch menu.perform(action, facts) {
    case .requests(let requests):
      isMenuOpen = true
      return requests
    case .leave(let requests):
      isMenuOpen = false
      page = .nowPlaying
      return requests
    }
  }

  /// Receives an answer of the library.
  package mutating func receive(_ answer: LibraryAnswer, number: Int) -> [Request] {
    let requests = menu.receive(answer, number: number)
    if isArtistOpening, menu.library.shown != nil {
      isArtistOpening = false
      isMenuOpen = true
    }
    return requests
  }

  /// Asks again for what is shown, because it may have changed.
  package mutating func refresh() -> [Request] {
    if isMenuOpen { return menu.refresh() }
    guard case .queue = page else { return [] }
    return requests(queue.refresh(menu.library.capacity))
  }

  /// Returns from a list to the page *Now Playing*, because the content is no longer available. The pages
  /// behind the corner stay as they are.
  package mutating func reset() {
    page = .nowPlaying
    isAlbumRequested = false
    isArtistOpening = false
  }
}
