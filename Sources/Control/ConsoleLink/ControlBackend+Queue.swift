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
    case .show(let place): show(from: place, answer)
    case .play(let place):
      withEntry(place, answer) { [client] entry, _, completion in
        client.playQueueItem("queue:\(entry.id)", completion)
      }
    case .remove(let place):
      withEntry(place, answer) { [client] entry, revision, completion in
        client.removeQueueItem(entry.id, revision: revision, completion)
      }
    case .move(let place, let target): move(place, to: target, answer)
    case .clear: withRevision(answer) { [client] in client.clearQueue(revision: $0, $1) }
    case .save(let name): send(answer) { [client] in client.savePlaylist(name, $0) }
    case .undo: withRevision(answer) { [client] in client.undoQueue(revision: $0, $1) }
    }
  }

  private func show(from place: Int?, _ answer: @escaping Answer) {
    guard let place else {
      // The place of the current entry must be known first.
      client.queue(first: 0, limit: 1) { [weak self] result in
        guard let self, case .success(let report) = result, let position = report.position else {
          return answer(Self.reply(result) { .queue($0) })
        }
        show(from: position + 1, answer)
      }
      return
    }
    client.queue(first: place - 1, limit: Self.shownEntries) { result in
      answer(Self.reply(result) { .queue($0) })
    }
  }

  private typealias Completion = ControlClient.Completion<Void>

  private func withRevision(
    _ answer: @escaping Answer, _ body: @escaping (Int, @escaping Completion) -> Void
  ) {
    client.queue(first: 0, limit: 1) { [weak self] result in
      guard let self, case .success(let report) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      send(answer) { body(report.revision, $0) }
    }
  }

  private func withEntry(
    _ place: Int, _ answer: @escaping Answer,
    _ body: @escaping (QueueReport.Entry, Int, @escaping Completion) -> Void
  ) {
    client.queue(first: place - 1, limit: 1) { [weak self] result in
      guard let self, case .success(let report) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard let entry = report.entries.first else { return answer(Self.noPlace(place, report)) }
      send(answer) { body(entry, report.revision, $0) }
    }
  }

  private static func noPlace(_ place: Int, _ report: QueueReport) -> ConsoleReply {
    let tracks = "\(report.count) track\(report.count == 1 ? "" : "s")"
    return .refused(Refusal(.noSuchItem, "the queue has \(tracks), and no place \(place)"))
  }

  private func move(_ place: Int, to target: Int, _ answer: @escaping Answer) {
    // Behind its own place, an entry is put before the one that follows the target.
    let before = target > place ? target + 1 : target
    client.queue(first: before - 1, limit: 1) { [weak self] result in
      guard let self, case .success(let report) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard target <= report.count else { return answer(Self.noPlace(target, report)) }
      let other = report.entries.first?.id
      withEntry(place, answer) { [client] entry, revision, completion in
        client.moveQueueItem(entry.id, before: other, revision: revision, completion)
      }
    }
  }

  // MARK: Choosing

  /// Plays one of the lists that were left.
  func resume(_ row: Int, _ answer: @escaping Answer) {
    client.recent { [weak self] result in
      guard let self, case .success(let lists) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard row <= lists.count, let list = TrackList(text: lists[row - 1].list) else {
        return answer(.refused(Refusal(.noSuchItem, "there is no list \(row)")))
      }
      send(answer) { [client] in client.play(list, .resume, $0) }
    }
  }

  /// Plays a list, or the best hit of a search.
  func play(_ words: String, _ mode: PlayMode, _ answer: @escaping Answer) {
    if let list = LibraryNode(text: words) {
      return send(answer) { [client] in client.play(.node(list), mode, $0) }
    }
    withBestHit(words, answer) { [client] row in
      client.play(.words(words), row: RowReference(kind: row.kind, id: row.id), mode) { result in
        answer(
          Self.reply(result) { .done(ConsoleMessage("library-plays", row.words)) })
      }
    }
  }

  /// Calls `body` with the row that a person means with these words.
  func withBestHit(
    _ words: String, _ answer: @escaping Answer, _ body: @escaping (LibraryRow) -> Void
  ) {
    client.find(SearchRequest(words)) { result in
      guard case .success(let found) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      switch BestHit.of(words, in: found.rows) {
      case .none: answer(Self.nothing(words))
      case .several(let rows):
        var findings = LibraryFindings()
        findings.rows = rows
        answer(.choices(findings, of: words))
      case .one(let row): body(row)
      }
    }
  }
}

/// The row that a person means with the words of a search.
enum BestHit: Equatable {
  case none
  case one(LibraryRow)
  /// Rows that fit equally well.
  case several([LibraryRow])

  /// Names that are equal to the words come first, then names that begin with them, then others. An artist comes
  /// before an album, and an album before a song of the same name.
  static func of(_ words: String, in rows: [LibraryRow]) -> BestHit {
    let rows = rows.filter { $0.isPlayable || $0.isAbsent }
    let words = words.lowercased()
    let fits: [(LibraryRow) -> Bool] = [
      { $0.title.lowercased() == words }, { $0.title.lowercased().hasPrefix(words) },
    ]
    for (index, fit) in fits.enumerated() {
      let fitting = rows.filter(fit)
      guard let first = fitting.first else { continue }
      // Only equal names are hard to tell apart. Songs of one name are often the same song.
      let equal = fitting.filter { $0.kind == first.kind && $0.isAbsent == first.isAbsent }
      return index == 0 && equal.count > 1 && first.kind != .song ? .several(equal) : .one(first)
    }
    return rows.first.map { .one($0) } ?? .none
  }
}
