internal import LibraryModel
internal import NowPlaying
internal import Reports
internal import UnitState

extension UnitQueue {
  /// Passes the playlist after or before a playlist of the unit to `body`. Playlists without songs, and absent ones,
  /// are passed over. The first playlist of the library follows the last one of the unit.
  ///
  /// - Parameter id: nil for the end of the playlists of the unit.
  func neighbour(ofOwn id: Int64?, isNext: Bool, _ body: @escaping (LibraryNode) -> Void) {
    lists.playlists.whenLoaded { [weak self] in
      guard let self else { return }
      let rows = lists.playlists.rows.map(\.row)
      let place = id.map { id in rows.firstIndex { $0.id == -id } } ?? rows.count
      guard let place else { return }
      let others = isNext ? Array(rows[(place + 1)...]) : rows[..<place].reversed()
      if let found = others.firstPlayableList { return body(found) }
      guard isNext else { return }
      library.page(PageRequest(.playlists, limit: 100)) { result in
        if case .success(let page) = result,
          let found = page.rows.firstPlayableList
        {
          body(found)
        }
      }
    }
  }

  /// Plays a playlist of the unit where it was left; from its beginning if the song is not in it any more.
  func resume(
    _ place: SavedPlaces.Place, inOwn list: TrackList, _ completion: @escaping (Refusal?) -> Void
  ) {
    let entry = OwnPlaylist.Entry(volume: place.volume, path: place.path)
    let song = RowReference(kind: .song, id: OwnPlaylist([entry]).identities[0])
    let parent = place.context.parent
    let seconds = place.elapsed.seconds
    play(list, row: song, .now, at: seconds, parent: parent) { [weak self] refusal in
      guard let self, refusal?.code == .noSuchItem else { return completion(refusal) }
      play(list, row: nil, .now, at: 0, parent: parent, completion)
    }
  }
}

extension Sequence<LibraryRow> {
  /// The first list with songs that can be played now.
  var firstPlayableList: LibraryNode? { first { $0.isPlayable && $0.count > 0 }?.node }
}
