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
    /// Asks the library. The number belongs to the answer.
    case askLibrary(Int, LibraryQuestion)
    /// Plays a list, or one of its rows and what follows.
    case playList(TrackList, RowReference?, PlayMode)
    /// Plays a place with music, where it was left.
    case chooseSource(String)
    /// A command about a phone, by its address.
    case phone(String, PhoneCommand)
  }

  /// A command about a phone.
  package enum PhoneCommand: Equatable, Sendable {
    case connect, disconnect, setFirstChoice, forget
  }

  /// The page of Now Playing.
  package private(set) var page = ScreenContext.Page.nowPlaying
  /// True if one of the pages behind the corner is shown, and not ``page``.
  package private(set) var isBrowsing = false
  package var browse: BrowsePages
  private var isAlbumRequested = false

  package init(_ capacity: BrowseCapacity) { browse = BrowsePages(capacity) }

  /// The page that is shown.
  package func shown(_ facts: BrowsePages.Facts) -> ScreenContext.Page {
    isBrowsing ? .browse(browse.page(facts)) : page
  }

  /// Performs an action: changes the page, and returns the requests to the daemon. `current` is the
  /// identity of the content that plays.
  package mutating func perform(
    _ action: ScreenAction, current: String?, _ facts: BrowsePages.Facts
  ) -> [Request] {
    switch action {
    case .browse(let action): return perform(action, facts)
    case .back where isBrowsing: return perform(.goUp, facts)
    case .command(.template(.upNext)):
      page = .upNext(rows: nil, first: 0)
      // The command only informs observers (T4). If there are no observers, this is not an error.
      return [.command(action, isSilent: true)]
    case .command(.template(.albumArtist)):
      isAlbumRequested = true
      return [.command(action, isSilent: true), .artist(facts.artist)]
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

  /// Opens the page of the requested artist. False if the rows have no artist with this name.
  package mutating func takeArtist(_ rows: [LibraryRow], name: String) -> (
    isFound: Bool, requests: [Request]
  ) {
    guard let artist = rows.first(where: { $0.kind == .artist && $0.title == name }) else {
      return (false, [])
    }
    guard isAlbumRequested, page == .nowPlaying else { return (true, []) }
    isAlbumRequested = false
    isBrowsing = true
    return (true, browse.open(artist))
  }

  /// Takes the requested album. Shows the album only if no other page is open, and if no
  /// ``ScreenAction/back`` has cancelled the request.
  package mutating func takeAlbum(title: String, rows: [ScreenContext.Row]) {
    guard isAlbumRequested, page == .nowPlaying else { return }
    isAlbumRequested = false
    if !rows.isEmpty { page = .album(title: title, rows: rows, first: 0) }
  }

  private mutating func perform(_ action: BrowseAction, _ facts: BrowsePages.Facts) -> [Request] {
    switch browse.perform(action, facts) {
    case .requests(let requests):
      isBrowsing = true
      return requests
    case .leave(let requests):
      isBrowsing = false
      page = .nowPlaying
      return requests
    }
  }

  /// Takes an answer of the library.
  package mutating func take(_ answer: LibraryAnswer, number: Int) -> [Request] {
    browse.take(answer, number: number)
  }

  /// Asks again for what is shown, because it may have changed.
  package mutating func refresh() -> [Request] { isBrowsing ? browse.refresh() : [] }

  /// Returns from a list to the page *Now Playing*, because the content is no longer available. The pages
  /// behind the corner stay as they are.
  package mutating func reset() {
    page = .nowPlaying
    isAlbumRequested = false
  }
}
