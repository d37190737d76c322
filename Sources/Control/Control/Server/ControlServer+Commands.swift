internal import BusMethods
internal import NowPlaying
internal import Reports

// Commands to the source that plays.
extension ControlServer {
  static func addCommands(to handlers: inout ControlHandlers) {
    handlers.on(Commands1.send) { try $0.send($1) }
    handlers.on(Commands1.playQueueItem) { try $0.playQueueItem($1) }
    func short<Value>(
      _ method: ControlMethod<Value, Void>, _ request: @escaping (Value) -> CommandRequest
    ) {
      handlers.on(method) { server, call in
        try server.send(SentCommand(request(call.arguments)), call.caller) { call.finish($1) }
      }
    }
    short(Commands1.play) { .media(.play) }
    short(Commands1.pause) { .media(.pause) }
    short(Commands1.toggle) { .media(.togglePlayPause) }
    short(Commands1.stop) { .media(.stop) }
    short(Commands1.next) { .media(.next) }
    short(Commands1.previous) { .media(.previous) }
    short(Commands1.seek) { .media(.seekToPosition($0)) }
    short(Commands1.skip) { time in
      .media(time < .zero ? .skipBackward(.zero - time) : .skipForward(time))
    }
    short(Commands1.setVolume) { .volume(.set(VolumeLevel(thousandths: $0))) }
    short(Commands1.changeVolume) { .volume(.change(thousandths: $0)) }
    short(Commands1.mute) { .volume(.setMuted($0)) }
    short(Commands1.setRepeat) { .media(.changeRepeatMode($0)) }
    short(Commands1.setShuffle) { .media(.changeShuffleMode($0)) }
    short(Commands1.like) { .media(.like($0)) }
    short(Commands1.dislike) { .media(.dislike($0)) }
    short(Commands1.bookmark) { .media(.bookmark($0)) }
    short(Commands1.setStars) { .media(.stars($0)) }
  }

  private func send(_ call: ServedCall<SentCommand, CommandOutcome>) throws {
    try send(call.arguments, call.caller) { number, answer in
      call.reply(CommandOutcome(number: number, answer: answer))
    }
  }

  private func playQueueItem(_ call: ServedCall<String, Void>) throws {
    let wire = call.arguments
    func isRequested(_ item: UpNextItem) -> Bool { WireText.identityText(item.id) == wire }
    // The text on the wire may be a shorter form of the identity.
    let item =
      unit.center.state.upNext.first(where: isRequested)
      ?? unit.album()?.items.first(where: isRequested)
    try send(SentCommand(.media(.playQueueItem(item?.id ?? wire))), call.caller) { call.finish($1) }
  }

  func send(
    _ command: SentCommand, _ caller: ControlCaller,
    _ answered: @escaping (Int, CommandAnswer) -> Void
  ) throws {
    let port = try port(of: caller.client, from: command.surface, at: caller.now)
    if caller.client.surface == nil { recordHeldKey(command.request, port, caller.client) }
    // The answer may arrive before `send` has returned the number.
    var number: Int?
    var early: CommandAnswer?
    number = port.send(
      command.request, on: .socket, isRepeat: command.isRepeat, at: caller.now
    ) { answer in
      if let number { answered(number, answer) } else { early = answer }
    }
    if let early, let number { answered(number, early) }
  }

  /// Stores which client of a shared surface holds down a seek key, so that the seek ends when the
  /// client disconnects.
  private func recordHeldKey(_ request: CommandRequest, _ port: SurfacePort, _ client: ServedClient)
  {
    switch request {
    case .media(.seekForward(.begin)): client.held = (.seekForward(.end), port)
    case .media(.seekBackward(.begin)): client.held = (.seekBackward(.end), port)
    case .media(.seekForward(.end)), .media(.seekBackward(.end)): client.held = nil
    default: break
    }
  }
}
