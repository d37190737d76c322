internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Calls about the queue.
extension ControlServer {
  func queue(_ call: MethodCall, _ client: ServedClient) throws {
    var arguments = call.arguments
    let queue = unit.queue
    switch call.member {
    case "Play": try play(&arguments, call)
    case "GetRecent":
      let limit = min(max(try arguments.integer(), 1), RecentReport.limit)
      call.reply([.list(queue.recent.prefix(limit).map { QueueCoding.value(of: $0) })])
    case "GetQueue":
      let first = try arguments.integer()
      let limit = min(max(try arguments.integer(), 1), QueueReport.limit)
      let report = queue.report(first: first, limit: limit)
      call.reply([
        .count(report.revision), .list(report.entries.map { QueueCoding.value(of: $0) }),
        QueueCoding.value(of: report),
      ])
    default:
      let edit = try Self.edit(call.member, &arguments)
      let answered = answer(call)
      try send(.media(edit), client, clock()) { answered($1.refusal) }
    }
  }

  private static func edit(
    _ member: String, _ arguments: inout BodyReader
  ) throws -> MediaRequest {
    let revision = try arguments.integer()
    switch member {
    case "MoveQueueItem":
      let item = try arguments.string()
      let before = try arguments.string()
      return .moveQueueItem(item, before: before.isEmpty ? nil : before, revision: revision)
    case "RemoveQueueItem":
      return .removeQueueItem(try arguments.string(), revision: revision)
    case "ClearQueue": return .clearQueue(revision: revision)
    default: return .undoQueue(revision: revision)
    }
  }

  private func play(_ arguments: inout BodyReader, _ call: MethodCall) throws {
    let list = try Self.list(try arguments.string())
    let row = try Self.row(try arguments.string())
    let word = try arguments.string()
    guard let mode = PlayMode(rawValue: word) else { throw WireError("how", "unknown") }
    unit.queue.play(list, row: row, mode, completion: answer(call))
  }

  /// Answers a call whose result arrives later.
  func answer(_ call: MethodCall) -> (Refusal?) -> Void {
    { [weak self] refusal in
      if let refusal {
        call.fail(RefusalCoding.error(ControlError.refusedName, refusal))
      } else {
        call.reply()
      }
      self?.turns.request()
    }
  }
}

extension MethodCall {
  /// Replies to a short method, which returns nothing.
  func answer(_ answer: CommandAnswer) {
    if let error = AnswerCoding.error(answer) { fail(error) } else { reply() }
  }
}
