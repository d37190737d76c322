internal import LibraryExchange
internal import LibraryModel
internal import NowPlaying
internal import UnitState

/// Finds the list before or after the current list, in the order of the parent list. The parent list is the list in
/// which the user chose the current list.
///
/// Used on the control thread; no call blocks.
struct ListNeighbours {
  let lists: UnitLists
  let mounted: MountedVolumes

  private var playlists: UnitPlaylists { lists.playlists }

  /// What a search for a list finds.
  enum Answer {
    case found(LibraryNode)
    /// There is no next or previous list.
    case none
    /// The library does not answer now.
    case failed
  }

  /// Finds the list after or before `node`, in the order of the list `parent`.
  func find(
    beside node: LibraryNode, in parent: String, isNext: Bool,
    completion: @escaping (Answer) -> Void
  ) {
    if case .own(let id) = node { return findPlaylist(beside: id, isNext: isNext, completion) }
    lists.library.link.ask(
      LibraryProcess1.getNeighbour,
      NeighbourRequest(of: node, in: LibraryNode(text: parent), isNext: isNext)
    ) {
      guard case .success(let found) = $0 else { return completion(.failed) }
      if let found { return completion(.found(found)) }
      // The playlists of the unit come before the playlists of the library, so the playlist before the first playlist
      // of the library is the last playlist of the unit.
      guard case .playlist = node, !isNext else { return completion(.none) }
      findPlaylist(beside: nil, isNext: false, completion)
    }
  }

  /// Finds the playlist after or before a playlist of the unit. Skips empty and absent playlists. The first playlist of
  /// the library follows the last playlist of the unit.
  ///
  /// - Parameter id: the playlist of the unit; nil for the position after the last playlist of the unit.
  private func findPlaylist(
    beside id: Int64?, isNext: Bool, _ completion: @escaping (Answer) -> Void
  ) {
    playlists.whenLoaded {
      let rows = playlists.rows.map(\.row)
      let index = id.map { id in rows.firstIndex { $0.id == -id } } ?? rows.count
      guard let index else { return completion(.none) }
      let others = isNext ? Array(rows[(index + 1)...]) : rows[..<index].reversed()
      if let found = others.firstPlayableList { return completion(.found(found)) }
      guard isNext else { return completion(.none) }
      lists.library.rows(Self.playlistsRequest) { completion(Self.first(of: $0)) }
    }
  }

  /// Finds the first playlist that can be played. It can be a playlist of the unit or of the library.
  func findFirstPlaylist(completion: @escaping (Answer) -> Void) {
    lists.rows(Self.playlistsRequest) { completion(Self.first(of: $0)) }
  }

  private static let playlistsRequest = RowsRequest(.playlists, limit: 100)

  private static func first(of result: Result<RowBatch, LibraryFailure>) -> Answer {
    switch result {
    case .success(let batch): batch.rows.firstPlayableList.map { .found($0) } ?? .none
    case .failure: .failed
    }
  }
}

extension Sequence<LibraryRow> {
  /// The first row whose list contains songs and can be played now.
  var firstPlayableList: LibraryNode? { first { $0.isPlayable && $0.count > 0 }?.node }
}
