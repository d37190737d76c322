internal import LibraryModel
internal import UnitState

// Songs of the playlists whose files were renamed or moved.
extension UnitPlaylists {
  /// The files of the songs of a list, each once. An entry of another program has no volume, and is left out.
  func references(_ list: Int64, _ completion: @escaping ([FileReference]) -> Void) {
    read { store throws(PlaylistFailure) in
      Set(
        try store.read(identity: list).list.entries.filter { !$0.volume.isEmpty }
          .map { FileReference(volume: $0.volume, path: $0.path) })
    } completion: { result in
      completion(((try? result.get()) ?? []).sorted { $0.volume < $1.volume })
    }
  }

  /// Replaces songs whose files were moved. Calls `done` after the attempt.
  func replaceMoved(
    _ moved: [FileReference: LibraryTrack], in list: Int64, _ done: @escaping () -> Void
  ) {
    guard !moved.isEmpty else { return done() }
    let volumes = mounted.present
    var songs: [UInt64: OwnPlaylist.Entry] = [:]
    for (file, track) in moved {
      songs[OwnPlaylist.Entry.key(volume: file.volume, path: file.path)] =
        OwnPlaylist.Entry(track, volumes)
    }
    change(
      { [songs] store throws(PlaylistFailure) in try store.replace(songs, in: list) },
      { _ in done() })
  }
}
