internal import LibraryExchange
internal import LibraryModel
internal import MusicFiles
internal import NowPlaying
internal import UnitState

/// Finds the list before or after a list, in the order of the list in which it was chosen.
///
/// Used on the control thread; no call blocks.
struct ListNeighbours {
  let lists: UnitLists
  let mounted: MountedVolumes

  private var playlists: UnitPlaylists { lists.playlists }

  /// Passes the songs of the list after or before a list to `body`. Neither closure is called if there is none.
  func songs(
    of node: LibraryNode, _ parent: String, isNext: Bool, failed: @escaping () -> Void = {},
    body: @escaping (TracksPage, [MusicFile], _ parent: String) -> Void
  ) {
    let take = { (found: LibraryNode) in
      let collected = SongFiles(mounted)
      lists.songs(.node(found), row: nil, isAlone: false, take: collected.take) { result in
        guard case .success(let songs) = result else { return failed() }
        let files = collected.files()
        if !files.isEmpty { body(songs, files, parent) }
      }
    }
    if case .own(let id) = node { return playlist(beside: id, isNext: isNext, take) }
    lists.library.link.ask(
      LibraryProcess1.getNeighbour,
      NeighbourRequest(of: node, in: LibraryNode(text: parent), isNext: isNext)
    ) {
      guard case .success(let found) = $0 else { return failed() }
      if let found { return take(found) }
      // The playlists of the unit are before those of the library.
      if case .playlist = node, !isNext { playlist(beside: nil, isNext: false, take) }
    }
  }

  /// Passes the playlist after or before a playlist of the unit to `body`. Playlists without songs, and absent ones,
  /// are passed over. The first playlist of the library follows the last one of the unit.
  ///
  /// - Parameter id: nil for the end of the playlists of the unit.
  private func playlist(
    beside id: Int64?, isNext: Bool, _ body: @escaping (LibraryNode) -> Void
  ) {
    playlists.whenLoaded {
      let rows = playlists.rows.map(\.row)
      let place = id.map { id in rows.firstIndex { $0.id == -id } } ?? rows.count
      guard let place else { return }
      let others = isNext ? Array(rows[(place + 1)...]) : rows[..<place].reversed()
      if let found = others.firstPlayableList { return body(found) }
      guard isNext else { return }
      lists.library.page(PageRequest(.playlists, limit: 100)) { result in
        if case .success(let page) = result, let found = page.rows.firstPlayableList {
          body(found)
        }
      }
    }
  }
}

extension Sequence<LibraryRow> {
  /// The first list with songs that can be played now.
  var firstPlayableList: LibraryNode? { first { $0.isPlayable && $0.count > 0 }?.node }
}
