internal import BusMethods
internal import NowPlaying
internal import Reports

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
    // If another client is registered with this name, for example an earlier run of the same
    // program, the new registration replaces the earlier one. The other client stays connected, but
    // it is no longer a surface.
    let holder = clients.values.first { $0.surface?.id == id }
    if holder == nil { try requireFree(id, now) }
    client.surface?.disconnect(at: now)
    client.surface = nil
    holder?.surface = nil
    let showsTemplate = call.arguments.showsTemplate
    // The state goes to this client as to all that follow it, in the turn.
    let port = unit.center.connect(
      SurfaceDescription(id: id, showsTemplate: showsTemplate), at: now
    ) { _ in }
    client.surface = port
    if showsTemplate {
      let lists = TemplateLists()
      unit.center.add(lists)
      client.lists = lists
    }
    // The others get a state that the connection has changed; this client gets it with the answer.
    client.subjects.remove(.nowPlaying)
    update()
    client.subjects.insert(.nowPlaying)
    call.reply(unit.center.state)
    checkChannel(call.caller, port)
  }

  /// Starts the loop-back test (C7). The surface returns the token on the path of commands. The
  /// surface also confirms the token when it has drawn its next picture.
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
