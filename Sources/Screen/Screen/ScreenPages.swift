package import LibraryModel
internal import NowPlaying
package import ScreenLayout

/// Stores which page is shown, and decides which requests an action causes.
package struct ScreenPages: Sendable {
  /// A page that does not belong to the menu.
  package enum Page: Equatable, Sendable {
    case nowPlaying
    /// Now Playing with all custom buttons.
    case buttons
    case queue
    /// The songs of the album that plays. `window` selects the songs that are shown.
    case album(title: String, rows: [MenuRow], window: RowWindow)
  }

  package private(set) var page = Page.nowPlaying
  private var queue = QueuePage()
  /// True if a page of ``menu`` is shown instead of ``page``.
  package private(set) var isMenuOpen = false
  package var menu: MenuPages
  private var isAlbumRequested = false
  /// True while the page of an artist opens. The page is shown when the first answer for it has arrived.
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

  /// The songs of the album that can be reached by turning pages. The song that plays is marked.
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

  /// Performs an action: changes the page, and returns the requests to the daemon. `current` is the identity of the
  /// content that plays.
  package mutating func perform(
    _ action: ScreenAction, current: String?, _ facts: MenuPages.Facts
  ) -> [ScreenRequest] {
    // Each action except a media command cancels the pending request for an artist or an album.
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
      return [.command(.template(.upNext), isSilent: true)]
        + queue.open(menu.library.capacity)
    case .command(.template(.albumArtist)):
      isAlbumRequested = true
      return [.command(.template(.albumArtist), isSilent: true), .artist(facts.artist)]
    case .command(let command):
      if case .buttons = page, case .template = command { page = .nowPlaying }
      return [.command(command, isSilent: false)]
    case .chooseRow(let id):
      page = .nowPlaying
      return id == current ? [] : [.playItem(id)]
    case .showButtons(let all): page = all ? .buttons : .nowPlaying
    case .back:
      if case .queue = page, queue.goUp() { return [] }
      page = .nowPlaying
    case .answerPairing(let isAccepted): return [.answerPairing(isAccepted: isAccepted)]
    case .pairPhone: return [.pairPhone]
    case .undo(let revision): return [.undoEdit(revision: revision)]
    case .dismissNotice: break
    case .endSafeMode: return [.endSafeMode]
    }
    return []
  }

  /// Performs a touch on a list of Now Playing.
  private mutating func perform(
    inList action: MenuAction, _ current: String?, _ facts: MenuPages.Facts
  ) -> [ScreenRequest] {
    switch page {
    case .queue: return queue.perform(action, queueFacts(facts))
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

  /// Receives an answer about the queue.
  package mutating func receive(_ answer: QueuePage.Answer, number: Int) -> [ScreenRequest] {
    queue.receive(answer, number: number, menu.library.capacity)
  }

  /// Opens the page of the requested artist. `isFound` is false if the rows contain no artist with this name.
  package mutating func receiveArtist(_ rows: [LibraryRow], name: String) -> (
    isFound: Bool, requests: [ScreenRequest]
  ) {
    guard let artist = rows.first(where: { $0.kind == .artist && $0.title == name }) else {
      return (false, [])
    }
    guard isAlbumRequested, case .nowPlaying = page else { return (true, []) }
    isAlbumRequested = false
    isArtistOpening = true
    return (true, menu.open(artist))
  }

  /// Receives the requested album. Shows the album only if no other page is open, and if no ``ScreenAction/back`` has
  /// cancelled the request.
  package mutating func receiveAlbum(title: String, rows: [MenuRow]) {
    guard isAlbumRequested, case .nowPlaying = page else { return }
    isAlbumRequested = false
    if !rows.isEmpty { page = .album(title: title, rows: rows, window: RowWindow()) }
  }

  private mutating func perform(_ action: MenuAction, _ facts: MenuPages.Facts) -> [ScreenRequest] {
    let outcome = menu.perform(action, facts)
    isMenuOpen = !outcome.leavesMenu
    if outcome.leavesMenu { page = .nowPlaying }
    return outcome.requests
  }

  /// Receives an answer of the library.
  package mutating func receive(_ answer: LibraryAnswer, number: Int) -> [ScreenRequest] {
    let requests = menu.receive(answer, number: number)
    if isArtistOpening, menu.library.shown != nil {
      isArtistOpening = false
      isMenuOpen = true
    }
    return requests
  }

  /// Returns the requests that update the shown page. Called when the data of the page can have changed.
  package mutating func refresh() -> [ScreenRequest] {
    if isMenuOpen { return menu.refresh() }
    guard case .queue = page else { return [] }
    return queue.refresh(menu.library.capacity)
  }

  /// Returns from a list to the page *Now Playing*, because the content is no longer available. The menu does not
  /// change.
  package mutating func reset() {
    page = .nowPlaying
    isAlbumRequested = false
    isArtistOpening = false
  }
}
