internal import EventLoop
internal import NowPlaying
internal import Reports

// Interruptions and ducks of clients.
extension ControlServer {
  /// Begins or ends a hold. A hold ends with the connection of the client that has begun it, unless the client asks
  /// that it outlives the connection. Any client with the right may end it.
  func hold(_ call: MethodCall, _ client: ServedClient, _ arguments: inout BodyReader) throws {
    let name = try arguments.string()
    guard !name.isEmpty, name.utf8.count <= WireText.word else {
      throw WireError("name", "expected 1 to \(WireText.word) bytes")
    }
    let isDuck = call.member.hasSuffix("Duck")
    let hold = isDuck ? SoundHold.duck(name) : .interruption(.init(name))
    let options =
      call.member == "EndDuck" ? nil : try WireFields(try arguments.properties(), "options")
    if call.member.hasPrefix("Begin") {
      try begin(hold, call, client, options)
    } else {
      let shouldResume = try options?.flag("shouldResume") ?? true
      let refusal = unit.end(hold, shouldResume: shouldResume)
      if refusal == nil { forget(hold) }
      try finish(call, refusal)
    }
  }

  private func begin(
    _ hold: SoundHold, _ call: MethodCall, _ client: ServedClient, _ options: WireFields?
  ) throws {
    let outlives = try options?.flag("outlivesClient") ?? false
    let time = try options?.duration("time")
    if let time, time <= .zero || time > SoundHold.longestTime {
      throw WireError("options.time", "expected more than 0 and at most 24 hours")
    }
    let refusal = unit.begin(hold, for: time ?? (outlives ? SoundHold.standardTime : nil))
    if refusal == nil {
      // A hold of the same name may have ended by its time.
      forget(hold)
      if !outlives { client.holds.insert(hold) }
    }
    try finish(call, refusal)
  }

  /// The hold has no owner any more, so that it is not ended together with a later one of the same name.
  private func forget(_ hold: SoundHold) {
    for client in clients.values { client.holds.remove(hold) }
  }
}
