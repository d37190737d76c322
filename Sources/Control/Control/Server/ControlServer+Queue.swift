internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Calls about the queue.
extension ControlServer {
  func queue(_ call: MethodCall) throws {
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
    case "MoveQueueItem":
      let revision = try arguments.integer()
      let entry = try entry(&arguments)
      let before = try arguments.string()
      try finish(
        call,
        queue.move(
          entry, before: before.isEmpty ? nil : try Self.entry(before), revision: revision))
    case "RemoveQueueItem":
      let revision = try arguments.integer()
      try finish(call, queue.remove(try entry(&arguments), revision: revision))
    case "ClearQueue": try finish(call, queue.clear(revision: try arguments.integer()))
    default: try finish(call, queue.undo(revision: try arguments.integer()))
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
      self?.onActivity?()
    }
  }

  private func entry(_ arguments: inout BodyReader) throws -> Int {
    try Self.entry(try arguments.string())
  }

  private static func entry(_ text: String) throws -> Int {
    guard let entry = QueueCoding.entry(text) else {
      throw Refusal(.noSuchItem, "the queue has no such item")
    }
    return entry
  }
}
