internal import BusMethods
internal import LibraryModel
internal import NowPlaying
internal import Reports

// The queue.
extension ControlServer {
  static func addQueue(to handlers: inout ControlHandlers) {
    handlers.on(Library1.play) { server, call in
      let request = call.arguments
      try server.perform(
        .play(
          list: request.list.text, row: request.row?.identifier, mode: request.mode.rawValue), call)
    }
    handlers.on(Library1.getRecent) { server, call in
      call.reply(Array(server.unit.queue.recent.prefix(call.arguments)))
    }
    handlers.on(Library1.getQueue) { server, call in
      call.reply(
        server.unit.queue.report(first: call.arguments.first, limit: call.arguments.limit))
    }
    func edit<Value>(
      _ method: ControlMethod<Value, Void>, _ request: @escaping (Value) -> MediaRequest
    ) {
      handlers.on(method) { server, call in
        try server.send(SentCommand(.media(request(call.arguments))), call.caller) {
          call.finish($1.refusal)
        }
      }
    }
    edit(Library1.moveQueueItem) {
      .moveQueueItem($0.item, before: $0.before, revision: $0.revision)
    }
    edit(Library1.removeQueueItem) { .removeQueueItem($0.item, revision: $0.revision) }
    edit(Library1.clearQueue) { .clearQueue(revision: $0) }
    edit(Library1.undoQueue) { .undoQueue(revision: $0) }
  }

  /// Sends a request to the owner of a list.
  func perform<Arguments>(_ request: ListRequest, _ call: ServedCall<Arguments, Void>) throws {
    try send(SentCommand(.list(request)), call.caller) { call.finish($1.refusal) }
  }
}
