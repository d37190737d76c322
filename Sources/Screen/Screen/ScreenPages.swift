internal import NowPlaying
package import ScreenLayout

/// Which page is shown, and what of that the daemon must be asked.
package struct ScreenPages: Sendable {
  /// What goes out of the screen.
  package enum Request: Hashable, Sendable {
    /// Over the surface's port. Its refusal is worth a word where somebody wanted it to be done.
    case command(ScreenAction, isSilent: Bool)
    /// Jump to an item of what comes next, or of the album.
    case playItem(String)
    /// The rows of the album that plays.
    case album
    case answerPairing(isAccepted: Bool)
    case pairPhone
  }

  /// See ``ScreenContext/Page``.
  package private(set) var page = ScreenContext.Page.nowPlaying
  private var awaitsAlbum = false

  /// The page at the beginning.
  package init() {}

  /// Does what was asked for, as far as it is the screen's own matter. `current` is the identity of
  /// what plays.
  package mutating func perform(_ action: ScreenAction, current: String?) -> [Request] {
    switch action {
    case .command(.template(.upNext)):
      page = .upNext(rows: nil, first: 0)
      // For observers (T4); that there is none is no trouble.
      return [.command(action, isSilent: true)]
    case .command(.template(.albumArtist)):
      awaitsAlbum = true
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
      awaitsAlbum = false
    case .answerPairing(let isAccepted): return [.answerPairing(isAccepted: isAccepted)]
    case .pairPhone: return [.pairPhone]
    case .dismissNotice: break
    }
    return []
  }

  /// The album that was asked for has come; shown if it is still wanted.
  package mutating func albumCame(title: String, rows: [ScreenContext.Row]) {
    guard awaitsAlbum, page == .nowPlaying else { return }
    awaitsAlbum = false
    if !rows.isEmpty { page = .album(title: title, rows: rows, first: 0) }
  }

  /// Nothing of what plays is there any more.
  package mutating func reset() { self = ScreenPages() }
}
