internal import LibraryModel
internal import UnitState

// Songs of the playlists whose files were renamed or moved.
extension UnitPlaylists {
  /// The places of the songs of a list, each once. An entry of another program has no volume, and is left out.
  func places(_ list: Int64, _ completion: @escaping ([MovedFileSearch.Place]) -> Void) {
    read { store throws(PlaylistFailure) in
      Set(
        try store.read(identity: list).list.entries.filter { !$0.volume.isEmpty }
          .map { MovedFileSearch.Place(volume: $0.volume, path: $0.path) })
    } completion: { result in
      completion(((try? result.get()) ?? []).sorted { $0.volume < $1.volume })
    }
  }

  /// Replaces songs that are at other places now. Calls `done` after the attempt.
  func replaceMoved(
    _ moved: [MovedFileSearch.Place: LibraryTrack], in list: Int64, _ done: @escaping () -> Void
  ) {
    guard !moved.isEmpty else { return done() }
    let volumes = mounted.present
    var songs: [UInt64: OwnPlaylist.Entry] = [:]
    for (place, track) in moved {
      songs[OwnPlaylist.Entry.key(volume: place.volume, path: place.path)] =
        OwnPlaylist.Entry(track, volumes)
    }
    change(
      { [songs] store throws(PlaylistFailure) in try store.replace(songs, in: list) },
      { _ in done() })
  }
}
