internal import NowPlaying
package import ScreenLayout

/// Stores which page is shown, and decides which requests an action causes.
package struct ScreenPages: Sendable {
  /// A request to the daemon.
  package enum Request: Hashable, Sendable {
    /// A command of the surface. If the command is refused, the screen shows a notice, except when
    /// `isSilent` is true.
    case command(ScreenAction, isSilent: Bool)
    /// Jumps to an item of Up Next or of the album.
    case playItem(String)
    /// Requests the rows of the album that plays.
    case album
    case answerPairing(isAccepted: Bool)
    case pairPhone
  }

  package private(set) var page = ScreenContext.Page.nowPlaying
  private var isAlbumRequested = false

  package init() {}

  /// Performs an action: changes the page, and returns the requests to the daemon. `current` is the
  /// identity of the content that plays.
  package mutating func perform(_ action: ScreenAction, current: String?) -> [Request] {
    switch action {
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
      case .nowPlaying, .buttons: break
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

  /// Returns to the page *Now Playing*, because the content is no longer available.
  package mutating func reset() { self = ScreenPages() }
}
