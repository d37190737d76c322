internal import LibraryModel
internal import UnitState

// Songs of the playlists whose files were renamed or moved.
extension UnitPlaylists {
  /// The songs of a list, each once. An entry of another program has no volume, and is left out.
  func references(_ list: Int64, _ completion: @escaping ([SongReference]) -> Void) {
    read { store throws(PlaylistFailure) in
      Set(
        try store.read(identity: list).list.entries.map(\.reference).filter { !$0.volume.isEmpty })
    } completion: { result in
      completion(((try? result.get()) ?? []).sorted { $0.volume < $1.volume })
    }
  }

  /// Replaces songs whose files were moved. Calls `done` after the attempt.
  func replaceMoved(
    _ moved: [SongReference: LibraryTrack], in list: Int64, _ done: @escaping () -> Void
  ) {
    guard !moved.isEmpty else { return done() }
    let volumes = mounted.present
    let songs = moved.mapValues { OwnPlaylist.Entry($0, volumes) }
    change(
      { store throws(PlaylistFailure) in try store.replace(songs, in: list) }, { _ in done() })
  }
}
