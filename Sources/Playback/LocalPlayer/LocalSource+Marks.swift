internal import MusicFiles
internal import NowPlaying

// The commands for the marks of songs.
extension LocalSource {
  /// Always the same commands in the same order, or none if no marks are kept or there is no song.
  var markCommands: [MediaCommand] {
    guard let marks, let file = player.state.file else { return [] }
    let values = marks.of(file)
    return [
      .like(isActive: values.isLiked) { [weak self] in self?.mark(file, .like($0), $1) },
      .dislike(isActive: values.isDisliked) { [weak self] in self?.mark(file, .dislike($0), $1) },
      .stars(current: values.stars ?? TagRating.stars(player.state.metadata)) {
        [weak self] stars, reply in
        self?.mark(file, .stars((stars * 2).rounded() / 2), reply)
      },
      .bookmark(isActive: values.hasBookmark) { [weak self] isSet, reply in
        guard let self else { return }
        mark(file, .bookmark(at: isSet ? player.elapsedSeconds : nil), reply)
      },
    ]
  }

  private func mark(_ file: MusicFile, _ change: SongMarks.Change, _ reply: CommandReply) {
    marks?.set(file, change) { [weak self] refusal in
      guard let self else { return }
      reply(refusal.map { .failed($0) } ?? .success, at: clock())
      update()
    }
  }

  /// Must be called when marks have changed, also by the source itself.
  public func marksChanged() {
    player.avoidDisliked(marks)
    update()
  }
}
