internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

// The state, the covers and the album of Now Playing.
extension ControlServer {
  static func addNowPlaying(to handlers: inout ControlHandlers) {
    handlers.follow(NowPlaying1.state) { $0.unit.center.state }
    handlers.on(NowPlaying1.getArtwork) { $0.getArtwork($1) }
    handlers.on(NowPlaying1.getButtonPicture) { server, call in
      call.reply(server.unit.center.buttonPicture(named: call.arguments))
    }
    handlers.on(NowPlaying1.getAlbum) { server, call in
      call.reply(server.unit.album() ?? AlbumReport(title: "", items: []))
    }
  }

  private func getArtwork(_ call: ServedCall<CoverRequest, ArtworkAnswer>) {
    let request = call.arguments
    // On the wire, identities are truncated and some characters are replaced. So if the request names the current
    // content, the original identity of the current content is used.
    let current = unit.center.state.content?.id
    let isCurrent = current.map(WireText.identityText) == request.content
    unit.center.artwork(
      for: isCurrent ? current ?? request.content : request.content, size: request.size,
      at: call.caller.now
    ) { call.reply($0) }
    turns.request()
  }
}

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
    // The text on the wire is possibly a truncated identity. So the item is searched by its truncated identity.
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
    // The answer can arrive before `send` has returned the number. It is then passed on after the return.
    var number: Int?
    var early: CommandAnswer?
    number = port.send(
      command.request, on: .socket, isRepeat: command.isRepeat, at: caller.now
    ) { answer in
      if let number { answered(number, answer) } else { early = answer }
    }
    if let early, let number { answered(number, early) }
  }

  /// Stores which client of a shared surface holds down a seek key, so that the seek ends when the client disconnects.
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

// Clients that are surfaces.
extension ControlServer {
  static func addSurfaces(to handlers: inout ControlHandlers) {
    handlers.on(Surface1.register) { try $0.register($1) }
    handlers.on(Surface1.unregister) { _, call in
      let port = try call.surface()
      call.caller.client.surface = nil
      call.caller.client.subjects.remove(.nowPlaying)
      port.unregister(at: call.caller.now)
      call.reply()
    }
    handlers.on(Surface1.observed) { server, call in
      let facts = AnswerCoding.restored(call.arguments, from: server.unit.center.state)
      let verdict = try call.surface().observed(facts, at: call.caller.now)
      call.reply(AnswerCoding.word(verdict))
      if case .repair = verdict { server.resend(.nowPlaying, to: call.caller.client) }
    }
    handlers.on(Surface1.checkChannel) { server, call in
      server.checkChannel(call.caller, try call.surface())
      call.reply()
    }
    handlers.on(Surface1.confirmShown) { _, call in
      try call.surface().channelShowed(call.arguments, at: call.caller.now)
      call.reply()
    }
    handlers.on(Surface1.returnToken) { _, call in
      try call.surface().channelReturned(call.arguments, at: call.caller.now)
      call.reply()
    }
  }

  private func register(_ call: ServedCall<SurfaceRegistration, NowPlayingState>) throws {
    let (client, now) = (call.caller.client, call.caller.now)
    let id = try surfaceID(call.arguments.name)
    // If another client is already registered with this name, for example an earlier run of the same program, the new
    // client replaces it. The earlier client stays connected, but is no longer a surface.
    let holder = clients.values.first { $0.surface?.id == id }
    if holder == nil { try requireFree(id, now) }
    client.surface?.disconnect(at: now)
    client.surface = nil
    holder?.surface = nil
    let showsTemplate = call.arguments.showsTemplate
    // The closure ignores the states, because in each turn the server itself sends a new state to all clients that
    // follow it.
    let port = unit.center.connect(
      SurfaceDescription(id: id, showsTemplate: showsTemplate), at: now
    ) { _ in }
    client.surface = port
    if showsTemplate {
      let lists = TemplateLists()
      unit.center.add(lists)
      client.lists = lists
    }
    // The new surface has changed the state. The other clients get the new state now. This client gets the new state
    // with the answer.
    client.subjects.remove(.nowPlaying)
    update()
    client.subjects.insert(.nowPlaying)
    call.reply(unit.center.state)
    checkChannel(call.caller, port)
  }

  /// Starts the loop-back test (C7). The surface returns the token on the path of commands. The surface also confirms
  /// the token when it has drawn its next picture.
  private func checkChannel(_ caller: ControlCaller, _ port: SurfacePort) {
    caller.client.emit(Surface1.channelToken, port.beginChannelCheck(at: caller.now))
  }
}

extension ServedCall where Caller == ControlCaller {
  /// Throws if the client is not a surface.
  fileprivate func surface() throws(Refusal) -> SurfacePort {
    if let port = caller.client.surface { return port }
    throw Refusal(
      .notRegistered, "this client is not registered as a surface", remedy: "call 'Register' first")
  }
}
