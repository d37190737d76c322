internal import Files
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

// The marks of songs.
extension UnitPlaylists {
  /// The marks for the source of the player.
  var marks: SongMarks {
    SongMarks(
      of: { [weak self] in self?.marks(of: $0) ?? SongMarks.Values() },
      isDisliked: { [weak self] in self?.isDisliked($0) ?? false },
      hasDisliked: { [weak self] in self?.index.songs.hasDisliked ?? false },
      set: { [weak self] file, change, completion in
        guard let self else { return completion(Refusal(.failed, "the daemon stops")) }
        set(change, for: file, completion)
      })
  }

  private func marks(of file: MusicFile) -> SongMarks.Values {
    let (key, songs) = (file.reference.key, index.songs)
    let opinion = songs.opinions[key]
    return SongMarks.Values(
      isLiked: songs.favourites.contains(key), isDisliked: opinion?.isDisliked ?? false,
      hasBookmark: songs.bookmarks[key] != nil,
      stars: opinion?.halfStars.map { Double($0) / 2 })
  }

  private func isDisliked(_ file: MusicFile) -> Bool {
    index.songs.opinions[file.reference.key]?.isDisliked ?? false
  }

  private func set(_ change: SongMarks.Change, for file: MusicFile, _ done: @escaping Done) {
    let entry = OwnPlaylist.Entry(file)
    let mark: SongMark =
      switch change {
      case .like(let isSet): .liked(isSet)
      case .dislike(let isSet): .disliked(isSet)
      case .stars(let stars): .halfStars(UInt8(min(max(stars, 0), 5) * 2))
      case .bookmark(let seconds):
        .bookmark(seconds.map { SongTime(nearestSeconds: $0) })
      }
    self.change({ store throws(PlaylistFailure) in try store.mark(entry, mark) }, done)
  }
}
