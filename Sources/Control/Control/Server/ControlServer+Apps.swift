internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

// Programs that are sources. The server checks the caller, the numbers and the limits. Everything else is done by the
// session (``ControlledSession``).
extension ControlServer {
  static func addApps(to handlers: inout ControlHandlers) {
    handlers.on(Session1.open) { try $0.openSession($1) }
    handlers.on(Session1.close) { server, call in
      let number = call.arguments.number
      try server.appTable.requireSession(number, of: call.caller.key)
      server.endSession(
        number, .closed(notifyingOthers: call.arguments.value), at: call.caller.now)
      call.reply()
    }
    onSession(Session1.setActive, .change, in: &handlers) { session, call in
      call.reply(session.setActive(call.arguments.value, at: call.caller.now))
    }
    handlers.on(Session1.claim) { try $0.claim($1) }
    handlers.on(Session1.publish) { try $0.publish($1) }
    onSession(Session1.answer, in: &handlers) { session, call in
      let answer = call.arguments.value
      call.finish(session.answer(answer.number, answer.value, at: call.caller.now))
    }
    onSession(Session1.setTemplate, .change, in: &handlers) { session, call in
      let template = call.arguments.value
      call.finish(
        session.setTemplate(template.value, screen: template.number, at: call.caller.now))
    }
    handlers.on(Session1.setButtonPicture) { try $0.setButtonPicture($1) }
    handlers.on(Session1.giveArtwork) { server, call in
      let session = try server.session(call.arguments.number, call.caller)
      try call.caller.client.requireDescriptors()
      let given = call.arguments.value
      switch session.giveArtwork(given.ticket, given.type, at: call.caller.now) {
      case .success(let pipe?): call.reply(pipe)
      case .success(nil): call.refuse(Refusal(.failed, "the unit has no pipe for the picture"))
      case .failure(let refusal): call.refuse(refusal)
      }
    }
    onSession(Session1.giveNoArtwork, in: &handlers) { session, call in
      call.finish(
        session.giveArtwork(call.arguments.value, nil, at: call.caller.now).map { _ in })
    }
    handlers.on(Sound1.openSound) { try $0.openSound($1) }
    onStream(Sound1.mark, in: &handlers) { session, call in
      session.mark(call.arguments.value, of: call.arguments.number, at: call.caller.now)
    }
    onStream(Sound1.flush, in: &handlers) { session, call in
      session.flush(call.arguments.number, next: call.arguments.value, at: call.caller.now)
    }
    onStream(Sound1.finish, in: &handlers) { session, call in
      session.finish(call.arguments.number, at: call.arguments.value, at: call.caller.now)
    }
    handlers.on(Sound1.closeSound) { server, call in
      let stream = call.arguments
      let number = try server.appTable.session(ofStream: stream, of: call.caller.key)
      server.appTable.endStream(stream)
      server.appSessions[number]?.session.closeSound(stream, at: call.caller.now)
      call.reply()
    }
  }

  /// Adds the handler of a method of a session.
  /// - Parameter paced: what the call counts as. Nil if calls are not counted.
  private static func onSession<Value, Results>(
    _ method: ControlMethod<Numbered<Value>, Results>,
    _ paced: AppTable<ObjectIdentifier>.Paced? = nil, in handlers: inout ControlHandlers,
    _ handler:
      @escaping (any ControlledSession, ServedCall<Numbered<Value>, Results>) throws -> Void
  ) {
    handlers.on(method) { server, call in
      let session = try server.session(call.arguments.number, call.caller)
      if let paced { try server.count(paced, call.caller) }
      try handler(session, call)
    }
  }

  /// Adds the handler of a method of a stream.
  private static func onStream<Value>(
    _ method: ControlMethod<Numbered<Value>, Void>, in handlers: inout ControlHandlers,
    _ handler:
      @escaping (any ControlledSession, ServedCall<Numbered<Value>, Void>) -> Refusal?
  ) {
    handlers.on(method) { server, call in
      let number = try server.appTable.session(
        ofStream: call.arguments.number, of: call.caller.key)
      let session = try server.session(number, call.caller)
      try server.count(.sound, call.caller)
      call.finish(handler(session, call))
    }
  }

  private func session(
    _ number: Int, _ caller: ControlCaller
  ) throws(Refusal) -> any ControlledSession {
    try appTable.requireSession(number, of: caller.key)
    guard let session = appSessions[number]?.session else {
      throw Refusal(.noSuchSession, "this client has no session \(number)")
    }
    return session
  }

  private func count(
    _ paced: AppTable<ObjectIdentifier>.Paced, _ caller: ControlCaller
  ) throws(Refusal) {
    try appTable.count(paced, of: caller.app, at: caller.now)
  }

  private func openSession(
    _ call: ServedCall<SessionOpening, Numbered<SessionWelcome>>
  ) throws {
    let (caller, opening) = (call.caller, call.arguments)
    guard let apps = unit.apps else {
      throw Refusal(.noApps, "this unit does not accept programs as sources")
    }
    let app = String(opening.id.prefix { $0 != "." })
    guard let access = caller.client.user.flatMap({ self.access.app(app, ofUser: $0) }) else {
      throw Refusal(
        .notYourApp, "the app '\(app)' does not belong to this user",
        remedy: "name the user in \(app).app")
    }
    try count(.change, caller)
    // An earlier run of the program has the session until its connection ends.
    if let old = appTable.session(named: opening.id) {
      endSession(old, .replaced, at: caller.now)
    }
    let number = try appTable.openSession(opening.id, caller.app, caller.key)
    let port = AppPort(number, caller.client)
    switch apps.open(opening, access, port, at: caller.now) {
    case .success(let opened):
      appSessions[number] = OpenAppSession(session: opened.session, port: port, access: access)
      call.reply(Numbered(number, opened.welcome))
    case .failure(let refusal):
      port.close()
      appTable.endSession(number)
      call.refuse(refusal)
    }
  }

  /// Ends a session, because its program has closed it or has disconnected.
  func endSession(_ number: Int, _ ending: SessionEnding, at now: MonotonicInstant) {
    appTable.endSession(number)
    guard let ended = appSessions.removeValue(forKey: number) else { return }
    ended.port.close()
    ended.session.end(ending, at: now)
  }

  private func publish(_ call: ServedCall<Numbered<SessionPublication>, Void>) throws {
    let (number, publication) = (call.arguments.number, call.arguments.value)
    let session = try session(number, call.caller)
    try count(.change, call.caller)
    if case .streams(_, let players, _) = publication.playback {
      try appTable.requireStreams(players, of: number)
    }
    let now = call.caller.now
    call.finish(session.publish(publication.measured(by: now), at: now))
  }

  private func claim(_ call: ServedCall<Numbered<ClaimReason>, PrimaryAnswer>) throws {
    let (number, reason) = (call.arguments.number, call.arguments.value)
    let session = try session(number, call.caller)
    try count(.change, call.caller)
    if reason == .person, appSessions[number]?.access.mayClaimForPerson != true {
      throw Refusal(
        .notYourApp, "this app may not say that a person has started it",
        remedy: "write 'person = yes' into the file of the app")
    }
    call.reply(session.claim(reason, at: call.caller.now))
  }

  private func setButtonPicture(_ call: ServedCall<Numbered<NamedPicture>, Void>) throws {
    let (number, named) = (call.arguments.number, call.arguments.value)
    let session = try session(number, call.caller)
    try count(.change, call.caller)
    try appTable.setPicture(named.name, bytes: named.picture?.bytes.count, of: number)
    call.finish(session.setButtonPicture(named.picture, named: named.name, at: call.caller.now))
  }

  private func openSound(_ call: ServedCall<Numbered<SoundFormat>, OpenedSound>) throws {
    let (number, format) = (call.arguments.number, call.arguments.value)
    let session = try session(number, call.caller)
    try call.caller.client.requireDescriptors()
    try count(.sound, call.caller)
    let stream = try appTable.openStream(of: number)
    switch session.openSound(format, as: stream, at: call.caller.now) {
    case .success(let opened):
      call.reply(OpenedSound(stream: stream, socket: opened.socket, format: opened.format))
    case .failure(let refusal):
      appTable.endStream(stream)
      call.refuse(refusal)
    }
  }
}

/// A session of an app, as the server knows it.
struct OpenAppSession {
  let session: any ControlledSession
  let port: AppPort
  let access: AppAccess
}

extension ControlCaller {
  fileprivate var key: ObjectIdentifier { client.key }

  /// See ``AppTable/App``.
  fileprivate var app: AppTable<ObjectIdentifier>.App {
    if client.role == .app, let user = client.user { .user(user) } else { .connection(key) }
  }
}
