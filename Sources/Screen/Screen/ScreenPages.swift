package import LibraryModel
package import NowPlaying
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
    /// Requests the rows of the album that plays.
    case album
    case answerPairing(isAccepted: Bool)
    case pairPhone
    /// Asks the library. The number belongs to the answer.
    case askLibrary(Int, LibraryQuestion)
    /// Plays a list, or one of its rows and what follows.
    case playList(TrackList, RowReference?, PlayMode)
  }

  /// Which side is shown: Now Playing with its lists, or the pages behind the corner.
  private enum Side: Sendable {
    case playing
    case browsing(BrowsePage.Tab)
  }

  /// The page of Now Playing.
  package private(set) var page = ScreenContext.Page.nowPlaying
  private var side = Side.playing
  package var library: LibraryBrowser
  private var isAlbumRequested = false

  package init(_ capacity: BrowseCapacity) { library = LibraryBrowser(capacity) }

  /// The page that is shown.
  package func shown(_ words: LocalizedWords, _ language: LanguageTag, _ state: LibraryState?)
    -> ScreenContext.Page
  {
    switch side {
    case .playing: return page
    case .browsing(let tab):
      var page = library.page(words, language, library: state)
      page.tab = tab
      page.tabs = Self.tabs
      return .browse(page)
    }
  }

  /// The tabs of this version.
  private static let tabs: [BrowsePage.Tab] = [.library]

  /// Performs an action: changes the page, and returns the requests to the daemon. `current` is the
  /// identity of the content that plays.
  package mutating func perform(
    _ action: ScreenAction, current: String?, _ words: LocalizedWords
  ) -> [Request] {
    switch action {
    case .browse(let action): return perform(action, words)
    case .back where isBrowsing: return perform(.goUp, words)
    case .command(.template(.upNext)):
      page = .upNext(rows: nil, first: 0)
      // The command only informs observers (T4). If there are no observers, this is not an error.
      return [.command(action, isSilent: true)]
    case .command(.template(.albumArtist)):
      isAlbumRequested = true
      return [.command(action, isSilent: true), .album]
    case .command:
      if page == .buttons, case .command(.template) = action { page = .nowPlaying }
      return [.command(action, isSilent: false)]
    case .chooseRow(let id):
      page = .nowPlaying
      return id == current ? [] : [.playItem(id)]
    case .showRows(let first):
      switch page {
      case .upNext(let rows, _): page = .upNext(rows: rows, first: first)
      case .album(let title, let rows, _): page = .album(title: title, rows: rows, first: first)
      case .nowPlaying, .buttons, .browse: break
      }
    case .showButtons(let all): page = all ? .buttons : .nowPlaying
    case .back:
      page = .nowPlaying
      isAlbumRequested = false
    case .answerPairing(let isAccepted): return [.answerPairing(isAccepted: isAccepted)]
    case .pairPhone: return [.pairPhone]
    case .dismissNotice: break
    }
    return []
  }

  /// Takes the requested album. Shows the album only if no other page is open, and if no
  /// ``ScreenAction/back`` has cancelled the request.
  package mutating func takeAlbum(title: String, rows: [ScreenContext.Row]) {
    guard isAlbumRequested, page == .nowPlaying else { return }
    isAlbumRequested = false
    if !rows.isEmpty { page = .album(title: title, rows: rows, first: 0) }
  }

  /// True if one of the pages behind the corner is shown.
  package var isBrowsing: Bool { if case .browsing = side { true } else { false } }

  private mutating func perform(_ action: BrowseAction, _ words: LocalizedWords) -> [Request] {
    switch action {
    case .showTab(let tab):
      side = .browsing(tab)
      return requests(library.showFirstPage())
    case .showNowPlaying:
      side = .playing
      page = .nowPlaying
      return []
    case .goUp:
      let (isUp, outcomes) = library.goUp()
      return isUp ? requests(outcomes) : perform(.showNowPlaying, words)
    default: return requests(library.perform(action, words))
    }
  }

  private mutating func requests(_ outcomes: [LibraryOutcome]) -> [Request] {
    outcomes.compactMap { outcome in
      switch outcome {
      case .ask(let number, let question): return .askLibrary(number, question)
      case .play(let list, let row, let mode): return .playList(list, row, mode)
      case .leave:
        side = .playing
        page = .nowPlaying
        return nil
      }
    }
  }

  /// Takes an answer of the library.
  package mutating func take(_ answer: LibraryAnswer, number: Int) -> [Request] {
    requests(library.take(answer, number: number))
  }

  /// Asks again for what is shown, because it may have changed.
  package mutating func refresh() -> [Request] {
    isBrowsing ? requests(library.refresh()) : []
  }

  /// Returns from a list to the page *Now Playing*, because the content is no longer available. The pages
  /// behind the corner stay as they are.
  package mutating func reset() {
    page = .nowPlaying
    isAlbumRequested = false
  }
}
