internal import Console
internal import Control
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Commands that choose music, and commands for the queue.
extension ControlBackend {
  private static let shownEntries = 20

  func perform(_ command: ConsoleCommand.Queue, _ answer: @escaping Answer) {
    switch command {
    case .show(let number): show(from: number, answer)
    case .play(let number):
      withEntry(number, answer) { [client] entry, _, completion in
        client.call(Commands1.playQueueItem, "queue:\(entry.id)", completion)
      }
    case .remove(let number):
      withEntry(number, answer) { [client] entry, revision, completion in
        client.call(
          Library1.removeQueueItem, QueueRemoval(entry.id, revision: revision), completion)
      }
    case .move(let number, let target): move(number, to: target, answer)
    case .clear: withRevision(answer) { [client] in client.call(Library1.clearQueue, $0, $1) }
    case .save(let name): send(answer) { [client] in client.call(Library1.savePlaylist, name, $0) }
    case .undo: withRevision(answer) { [client] in client.call(Library1.undoQueue, $0, $1) }
    }
  }

  private func show(from number: Int?, _ answer: @escaping Answer) {
    guard let number else {
      // The reply begins at the current entry, so the index of this entry is read first.
      client.call(Library1.getQueue, QueuePart(first: 0, limit: 1)) { [weak self] result in
        guard let self, case .success(let report) = result, let position = report.position else {
          return answer(Self.reply(result) { .queue($0) })
        }
        show(from: position + 1, answer)
      }
      return
    }
    client.call(Library1.getQueue, QueuePart(first: number - 1, limit: Self.shownEntries)) {
      result in
      answer(Self.reply(result) { .queue($0) })
    }
  }

  private typealias Completion = ControlClient.Completion<Void>

  private func withRevision(
    _ answer: @escaping Answer, _ body: @escaping (Int, @escaping Completion) -> Void
  ) {
    client.call(Library1.getQueue, QueuePart(first: 0, limit: 1)) { [weak self] result in
      guard let self, case .success(let report) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      send(answer) { body(report.revision, $0) }
    }
  }

  private func withEntry(
    _ number: Int, _ answer: @escaping Answer,
    _ body: @escaping (QueueReport.Entry, Int, @escaping Completion) -> Void
  ) {
    client.call(Library1.getQueue, QueuePart(first: number - 1, limit: 1)) { [weak self] result in
      guard let self, case .success(let report) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard let entry = report.entries.first else { return answer(Self.noEntry(number, report)) }
      send(answer) { body(entry, report.revision, $0) }
    }
  }

  private static func noEntry(_ number: Int, _ report: QueueReport) -> ConsoleReply {
    let tracks = "\(report.count) track\(report.count == 1 ? "" : "s")"
    return .refused(Refusal(.noSuchItem, "the queue has \(tracks); there is no track \(number)"))
  }

  private func move(_ number: Int, to target: Int, _ answer: @escaping Answer) {
    // If the entry moves towards the end of the queue, it is inserted before the entry that follows the target.
    let before = target > number ? target + 1 : target
    client.call(Library1.getQueue, QueuePart(first: before - 1, limit: 1)) { [weak self] result in
      guard let self, case .success(let report) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard target <= report.count else { return answer(Self.noEntry(target, report)) }
      let other = report.entries.first?.id
      withEntry(number, answer) { [client] entry, revision, completion in
        client.call(
          Library1.moveQueueItem, QueueMove(entry.id, before: other, revision: revision), completion
        )
      }
    }
  }

  // MARK: Choosing

  /// Resumes one of the lists that played recently. `row` is the number of this list in the reply to `recent`, from 1.
  func resume(_ row: Int, _ answer: @escaping Answer) {
    client.call(Library1.getRecent, RecentReport.limit) { [weak self] result in
      guard let self, case .success(let lists) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard row <= lists.count, let list = TrackList(text: lists[row - 1].list) else {
        return answer(.refused(Refusal(.noSuchItem, "there is no list \(row)")))
      }
      send(answer) { [client] in client.call(Library1.play, PlayRequest(list, .resume), $0) }
    }
  }

  /// Plays a list, or the best hit of a search.
  func play(_ words: String, _ mode: PlayMode, _ answer: @escaping Answer) {
    if let list = LibraryNode(text: words) {
      return send(answer) { [client] in
        client.call(Library1.play, PlayRequest(.node(list), mode), $0)
      }
    }
    withBestHit(words, answer) { .library(.playEntry(ConsoleCommand.Entry($0), mode)) }
  }

  func play(_ entry: ConsoleCommand.Entry, _ mode: PlayMode, _ answer: @escaping Answer) {
    client.call(Library1.play, PlayRequest(.words(entry.title), row: entry.row, mode)) { result in
      answer(Self.reply(result) { .done(ConsoleMessage("library-plays", entry.words)) })
    }
  }

  /// Searches for these words, and performs the command for the best hit. If no hit is clearly the best, the reply is a
  /// question.
  func withBestHit(
    _ words: String, _ answer: @escaping Answer,
    _ command: @escaping @Sendable (LibraryRow) -> ConsoleCommand
  ) {
    client.call(Library1.search, NumberedSearch(SearchRequest(words))) { [weak self] result in
      guard let self, case .success(let found) = result.map(\.found) else {
        return answer(Self.reply(result) { _ in .done() })
      }
      switch BestHit.of(words, in: found.rows) {
      case .none: nothing(words, answer, then: command)
      case .several(let rows):
        answer(.question(EntryQuestion(words, .ambiguous, rows), then: command))
      case .one(let row): perform(command(row), answer)
      }
    }
  }
}
