import Control
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@Suite struct SurfaceTests {
  private func surfaces(_ bench: Bench) -> [Inspection.Surface] {
    bench.center.inspection(at: MonotonicInstant.now()).surfaces
  }

  @Test func surface_existsWhileItsConnectionLasts() throws {
    let bench = try Bench()
    var client: ControlClient? = try bench.client()
    var states: [NowPlayingState] = []
    client?.onNowPlaying = { states.append($0) }
    client?.register(as: "screen", showsTemplate: true) { _ in }
    try bench.loop.turn { !states.isEmpty }
    #expect(surfaces(bench).map(\.id) == ["screen"])
    #expect(surfaces(bench).first?.showsTemplate == true)
    // Sources set up the template when a screen connects. The first state contains this template.
    #expect(states[0].template.buttons.count == 2)
    bench.source.setRate(1)
    try bench.loop.turn { states.last == bench.center.state }
    client = nil
    try bench.loop.turn { surfaces(bench).isEmpty }
  }

  @Test func templateLists_haveAnObserver_whileAScreenIsConnected() throws {
    let bench = try Bench()
    let sender = try bench.client()
    func tap() throws -> CommandAnswer {
      try bench.answer { sender.call(Commands1.send, SentCommand(.template(.upNext)), $0) }.get()
        .answer
    }
    var screen: ControlClient? = try bench.client()
    screen?.register(as: "screen", showsTemplate: true) { _ in }
    try bench.loop.turn { !surfaces(bench).isEmpty }
    #expect(try tap() == .success)
    screen = nil
    try bench.loop.turn { !surfaces(bench).contains { $0.id == "screen" } }
    #expect(try tap().refusal?.code == .noObserver)
    // A surface that does not show the template cannot open the lists of the template.
    let phone = try bench.client()
    phone.register(as: "phone", showsTemplate: false) { _ in }
    try bench.loop.turn { surfaces(bench).contains { $0.id == "phone" } }
    #expect(try tap().refusal?.code == .noObserver)
  }

  @Test func channel_isTestedInBothDirections() throws {
    let bench = try Bench()
    let client = try bench.client()
    var tokens: [Int] = []
    client.register(as: "screen", showsTemplate: false) { tokens.append($0) }
    try bench.loop.turn {
      if case .passed? = surfaces(bench).first?.channel.fromSurface { true } else { false }
    }
    #expect(surfaces(bench).first?.channel.toSurface == .waiting)
    client.confirmShown(try #require(tokens.first))
    try bench.loop.turn { surfaces(bench).first?.channel.hasPassed == true }
  }

  @Test func channelThatShowsNothing_fails() throws {
    let bench = try Bench()
    let client = try bench.client()
    client.register(as: "screen", showsTemplate: false) { _ in }
    try bench.loop.turn { !surfaces(bench).isEmpty }
    bench.center.expire(at: MonotonicInstant.now().advanced(by: ChannelCheck.limit))
    #expect(surfaces(bench).first?.channel.toSurface == .failed)
  }

  @Test func heldKey_isReleasedWhenItsClientDisconnects() throws {
    let bench = try Bench()
    for isSurface in [true, false] {
      var client: ControlClient? = try bench.client()
      if isSurface { client?.register(as: "screen", showsTemplate: false) { _ in } }
      let count = bench.source.performed.count
      client?.call(Commands1.send, SentCommand(.media(.seekForward(.begin)))) { _ in }
      try bench.loop.turn { bench.source.performed.count == count + 1 }
      #expect(bench.source.performed.last == "forward begins")
      client = nil
      try bench.loop.turn { bench.source.performed.count == count + 2 }
      #expect(bench.source.performed.last == "forward ends")
    }
  }

  @Test func heldKey_staysHeldWhenAnotherClientDisconnects() throws {
    let bench = try Bench()
    let holder = try bench.client()
    var other: ControlClient? = try bench.client()
    _ = try bench.answer {
      holder.call(Commands1.send, SentCommand(.media(.seekForward(.begin))), $0)
    }
    _ = try other.map { other in
      try bench.answer { other.call(Commands1.send, SentCommand(.media(.seekForward(.begin))), $0) }
    }
    other = nil
    try bench.loop.turn { bench.server?.peerCount == 1 }
    _ = try bench.answer {
      holder.call(Commands1.send, SentCommand(.media(.seekForward(.end))), $0)
    }
    #expect(bench.source.performed == ["forward begins", "forward ends"])
  }

  @Test func register_sameName_replacesTheFirst() throws {
    let bench = try Bench()
    let (first, second) = (try bench.client(), try bench.client())
    var shown = (first: 0, second: 0)
    first.onNowPlaying = { shown.first = $0.revision }
    second.onNowPlaying = { shown.second = $0.revision }
    first.register(as: "screen", showsTemplate: true) { _ in }
    try bench.loop.turn { shown.first > 0 }
    second.register(as: "screen", showsTemplate: true) { _ in }
    try bench.loop.turn { shown.second > 0 }
    #expect(surfaces(bench).map(\.id) == ["screen"])
    bench.source.setRate(1)
    let revision = bench.center.state.revision
    // The first client is not a surface any more, but still gets states.
    try bench.loop.turn { shown == (revision, revision) }
  }

  @Test func register_nameOfTheDaemonsSurface_isRefused() throws {
    let bench = try Bench()
    let phone = bench.center.connect(
      SurfaceDescription(id: "phone"), at: MonotonicInstant.now()
    ) { _ in }
    let client = try bench.client()
    var problems: [String] = []
    var states = 0
    client.onProblem = { problems.append($0) }
    client.onNowPlaying = { _ in states += 1 }
    client.register(as: "phone", showsTemplate: true) { _ in }
    try bench.loop.turn { !problems.isEmpty }
    #expect(problems.count == 1 && problems[0].contains("'phone'"))
    // The client is not a surface, but still gets states.
    try bench.loop.turn { states == 1 }
    let refused = try bench.answer {
      client.call(Commands1.send, SentCommand(.media(.play), from: "phone"), $0)
    }
    guard case .failure(let error) = refused else {
      Issue.record("not refused")
      return
    }
    #expect(error.refusal.code == .surfaceTaken)
    #expect(surfaces(bench).first?.showsTemplate == false)
    withExtendedLifetime(phone) {}
  }

  @Test func register_invalidName_isRefused() throws {
    let bench = try Bench()
    let peer = try bench.peer()
    for name in ["", "two words", "\u{1B}[2J", String(repeating: "x", count: 65), "bühne"] {
      let result = try bench.call(
        peer, Surface1.interface.name, "Register", [.string(name), .boolean(true)])
      guard case .failure(.remote(BusErrorName.invalidArguments, _)) = result else {
        Issue.record("\(name): \(result)")
        continue
      }
    }
    #expect(surfaces(bench).isEmpty)
  }

  @Test func sharedSurface_existsWhileAClientUsesIt() throws {
    let bench = try Bench()
    var clients = try [bench.client(), bench.client()]
    for client in clients {
      _ = try bench.answer {
        client.call(Commands1.send, SentCommand(.media(.next), from: "console"), $0)
      }
    }
    #expect(surfaces(bench).map(\.id) == ["console"])
    #expect(Set(bench.center.trace.records.map(\.surface)) == ["console"])
    clients.removeFirst()
    try bench.loop.turn { bench.server?.peerCount == 1 }
    #expect(surfaces(bench).map(\.id) == ["console"])
    clients = []
    try bench.loop.turn { surfaces(bench).isEmpty }
  }

  /// The codes of the findings about missing surfaces.
  private func missing(_ bench: Bench) -> [String] {
    Checks.run(bench.center.inspection(at: .now())).map(\.code)
      .filter { $0.hasPrefix("surfaces.") }
  }

  @Test func unregisteredScreen_isNotMissed_andStillGetsTheState() throws {
    let bench = try Bench()
    let client = try bench.client()
    var shown = 0
    client.onNowPlaying = { shown = $0.revision }
    client.subscribe()
    client.register(as: "screen", showsTemplate: true) { _ in }
    try bench.loop.turn { !surfaces(bench).isEmpty }
    client.unregister()
    try bench.loop.turn { surfaces(bench).isEmpty }
    #expect(missing(bench) == ["surfaces.none"])
    bench.source.setRate(1)
    try bench.loop.turn { shown == bench.center.state.revision }
    // After a restart of the daemon, the client is still not a surface.
    try bench.restart()
    bench.source.setRate(0)
    try bench.loop.turn { shown == bench.center.state.revision }
    #expect(surfaces(bench).isEmpty)
  }

  @Test func screenThatDisconnects_isMissed() throws {
    let bench = try Bench()
    var client: ControlClient? = try bench.client()
    client?.register(as: "screen", showsTemplate: true) { _ in }
    try bench.loop.turn { !surfaces(bench).isEmpty }
    client = nil
    try bench.loop.turn { surfaces(bench).isEmpty }
    #expect(missing(bench) == ["surfaces.screen-lost"])
  }

  /// The server shortens long texts and removes control characters before it sends them. So a surface that shows the
  /// received text is correct.
  @Test func textThatTheSocketHasShortened_isNoDifference() throws {
    let bench = try Bench()
    let title = "a\u{1B}[2J" + String(repeating: "ä", count: 2000)
    bench.source.tracks = [.generic(GenericContent(id: "x", title: title, duration: nil))]
    bench.source.setRate(1)
    let client = try bench.client()
    var shown: NowPlayingState?
    client.onNowPlaying = { shown = $0 }
    client.register(as: "screen", showsTemplate: false) { _ in }
    try bench.loop.turn { shown != nil }
    #expect(shown?.lines.title != nil && shown?.lines.title != title)
    client.observed(DisplayedState(title: shown?.lines.title))
    try bench.loop.turn { surfaces(bench).first?.check.verdict == .same }
  }

  @Test func differenceJustAfterAState_mustBeReportedAgain() throws {
    let bench = try Bench()
    let client = try bench.client()
    client.register(as: "screen", showsTemplate: false) { _ in }
    try bench.loop.turn { !surfaces(bench).isEmpty }
    var calls = 0
    client.observed(DisplayedState(title: "Another title")) { calls += 1 }
    try bench.loop.turn { calls == 1 }
    client.observed(DisplayedState(title: bench.center.state.lines.title)) { calls += 1 }
    try bench.loop.turn { surfaces(bench).first?.check.verdict == .same }
    #expect(calls == 1)
  }

  @Test func displayedDifference_isRepairedOnce() throws {
    let bench = try Bench()
    let client = try bench.client()
    var states = 0
    client.onNowPlaying = { _ in states += 1 }
    client.register(as: "screen", showsTemplate: false) { _ in }
    try bench.loop.turn { states == 1 }
    let displayed = DisplayedState(title: "Another title")
    // At first, the surface possibly does not show the latest state yet, so the guard does not repair this difference.
    client.observed(displayed)
    try bench.loop.turn { surfaces(bench).first?.check.verdict == .settling }
    try bench.loop.turn {
      client.observed(displayed)
      return states == 2
    }
    #expect(surfaces(bench).first?.check.repairs == 1)
  }
}
