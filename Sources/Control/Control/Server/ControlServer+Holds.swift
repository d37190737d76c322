internal import BusMethods
internal import NowPlaying
internal import Reports

// Interruptions and ducks of clients. A hold ends with the connection of the client that has begun it, unless the client
// asks that it outlives the connection. Any client with the right may end it.
extension ControlServer {
  static func addHolds(to handlers: inout ControlHandlers) {
    handlers.on(Unit1.beginInterruption) { server, call in
      server.begin(.interruption(.init(call.arguments.name)), call)
    }
    handlers.on(Unit1.beginDuck) { server, call in server.begin(.duck(call.arguments.name), call) }
    handlers.on(Unit1.endInterruption) { server, call in
      let end = call.arguments
      call.finish(
        server.end(.interruption(.init(end.name)), shouldResume: end.shouldResume))
    }
    handlers.on(Unit1.endDuck) { server, call in
      call.finish(server.end(.duck(call.arguments), shouldResume: true))
    }
  }

  private func begin(_ hold: SoundHold, _ call: ServedCall<HoldBegin, Void>) {
    let begin = call.arguments
    let refusal = unit.begin(
      hold, for: begin.time ?? (begin.outlives ? SoundHold.standardTime : nil))
    if refusal == nil {
      // A hold of the same name may have ended by its time.
      forget(hold)
      if !begin.outlives { call.caller.client.holds.insert(hold) }
    }
    call.finish(refusal)
  }

  private func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal? {
    let refusal = unit.end(hold, shouldResume: shouldResume)
    if refusal == nil { forget(hold) }
    return refusal
  }

  /// The hold has no owner any more, so that it is not ended together with a later one of the same name.
  private func forget(_ hold: SoundHold) {
    for client in clients.values { client.holds.remove(hold) }
  }
}
