internal import AudioEngine
internal import NowPlaying

// The commands for the queue.
extension LocalSource {
  var queueCommands: [MediaCommand] {
    [
      .playQueueItem { [weak self] id, reply in self?.play(id, reply) }.possible(player.count > 0),
      .moveQueueItem { [weak self] id, other, revision, reply in
        self?.edit(revision, reply) { Self.move(id, before: other, in: $0) }
      }.possible(player.count > 1),
      .removeQueueItem { [weak self] id, revision, reply in
        self?.edit(revision, reply) { player in
          Self.entry(ofItem: id).map { player.remove(entry: $0) } ?? false
            ? .success : Self.noSuchItem
        }
      }.possible(player.count > 0),
      .clearQueue { [weak self] revision, reply in
        self?.edit(revision, reply) {
          $0.clearQueue()
          return .success
        }
      }.possible(player.count > 1),
      .undoQueue { [weak self] revision, reply in
        self?.edit(revision, reply) { $0.undoQueue() ? .success : Self.nothingToUndo }
      }.possible(player.queue.canUndo),
    ]
  }

  private static let noSuchItem = CommandAnswer.noSuchContent(
    Refusal(.noSuchItem, "the queue has no such item"))
  private static let nothingToUndo = CommandAnswer.failed(
    CommandRefusal.notPossible(.undoQueue).refusal)

  private func play(_ id: String, _ reply: CommandReply) {
    // The item of the current track has the identity of the content.
    let entry =
      id == player.state.file.map(contentID) ? player.queue.currentID : Self.entry(ofItem: id)
    guard let entry, begin(reply, { $0.play(entry: entry, paused: $1) }) else {
      return reply(Self.noSuchItem, at: clock())
    }
  }

  private static func move(
    _ id: String, before other: String?, in player: LocalPlayer
  ) -> CommandAnswer {
    guard let entry = entry(ofItem: id) else { return noSuchItem }
    let before = other.map { Self.entry(ofItem: $0) }
    // A text that is no item of the queue is an error, and does not stand for the end.
    if case .some(nil) = before { return noSuchItem }
    return player.move(entry: entry, before: before ?? nil) ? .success : noSuchItem
  }

  /// An edit of a queue that has changed since the sender read it is refused, because it would hit another item.
  private func edit(
    _ revision: Int, _ reply: CommandReply, _ body: (LocalPlayer) -> CommandAnswer
  ) {
    act(reply) { player in
      guard revision >= player.queue.editRevision, revision <= player.queue.revision else {
        return .failed(
          Refusal(
            .queueChanged, "the queue has changed", remedy: "read the queue, and try again"))
      }
      return body(player)
    }
  }
}
