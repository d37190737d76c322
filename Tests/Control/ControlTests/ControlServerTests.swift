import Control
import EventLoop
import Glibc
import NowPlaying
import SystemClock
import Reports
import TestKit
import Testing

@Suite struct ControlServerTests {
  private static let requests: [CommandRequest] = [
    .media(.play), .media(.pause), .media(.togglePlayPause), .media(.stop), .media(.next),
    .media(.previous), .media(.skipForward(nil)), .media(.skipForward(.milliseconds(1500))),
    .media(.skipBackward(nil)), .media(.skipBackward(.seconds(7))), .media(.seekForward(.begin)),
    .media(.seekForward(.end)), .media(.seekBackward(.begin)), .media(.seekBackward(.end)),
    .media(.seekToPosition(.seconds(61))), .media(.changePlaybackRate(2)),
    .media(.changeRepeatMode(.one)), .media(.changeShuffleMode(.items)), .media(.stars(4.5)),
    .media(.like(false)), .media(.dislike(true)), .media(.bookmark(true)),
    .media(.enableLanguageOption("de")), .media(.disableLanguageOption("en")),
    .media(.playQueueItem("a")), .media(.moveQueueItem("a", before: "b", revision: 1)),
    .media(.moveQueueItem("a", before: nil, revision: 1 << 40)),
    .media(.removeQueueItem("a", revision: 2)), .media(.clearQueue(revision: 3)),
    .media(.undoQueue(revision: 4)),
    .volume(.set(VolumeLevel(thousandths: 333))), .volume(.change(thousandths: -50)),
    .volume(.setMuted(true)), .volume(.toggleMuted), .template(.button(1)), .template(.upNext),
    .template(.albumArtist),
  ]

  @Test func everyCommand_arrivesUnchanged() throws {
    let bench = try Bench()
    let client = try bench.client()
    client.register(as: "screen", showsTemplate: true) { _ in }
    for request in Self.requests {
      let outcome = try bench.answer { client.call(Commands1.send, SentCommand(request), $0) }.get()
      #expect(bench.center.trace[outcome.number]?.request == request)
      #expect(bench.center.trace[outcome.number]?.answer == outcome.answer, "\(request)")
    }
    let kinds = Set(
      Self.requests.compactMap { if case .media(let it) = $0 { it.kind } else { nil } })
    #expect(kinds == Set(CommandKind.allCases))
    // The requests for the template buttons *up next* and *album* succeed too. No source handles them: the surface
    // itself opens the lists of these buttons.
    #expect(bench.center.trace.records.allSatisfy { $0.answer == .success })
    // All requests reach the source, except the four for the volume and the two for these buttons.
    #expect(bench.source.performed.count == Self.requests.count - 6)
    #expect(bench.center.volume.level.thousandths == 283)
  }

  @Test func everyCommand_withoutItsArguments_isAnError() throws {
    let bench = try Bench()
    let peer = try bench.peer()
    for shape in RequestCoding.shapes {
      let result = try bench.call(
        peer, Commands1.interface.name, "Send",
        [.string(shape.command), .properties([:]), .properties([:])])
      let needsNothing = shape.arguments.isEmpty || shape.arguments.hasPrefix("[")
      switch result {
      case .success: #expect(needsNothing, "\(shape)")
      case .failure(.remote(let name, let message)):
        #expect(!needsNothing, "\(shape)")
        #expect(name == BusErrorName.invalidArguments)
        #expect(message.hasPrefix("\(shape.command)."))
      case .failure(let error): Issue.record("\(error)")
      }
    }
  }

  @Test func wrongArgument_isAnErrorThatNamesItsPath() throws {
    let bench = try Bench()
    let peer = try bench.peer()
    // The message begins with the path of the wrong field.
    func path(_ command: String, _ arguments: BusValue) throws -> String? {
      let result = try bench.call(
        peer, Commands1.interface.name, "Send",
        [.string(command), arguments, .properties([:])])
      guard case .failure(.remote(BusErrorName.invalidArguments, let message)) = result else {
        return "\(result)"
      }
      return message.split(separator: ":").first.map(String.init)
    }
    #expect(try path("levitate", .properties([:])) == "command")
    #expect(
      try path("seekToPosition", .properties(["position": .string("1:00")]))
        == "seekToPosition.position")
    #expect(
      try path("changeRepeatMode", .properties(["mode": .string("twice")]))
        == "changeRepeatMode.mode")
    #expect(
      try path("changePlaybackRate", .properties(["rate": .double(.nan)]))
        == "changePlaybackRate.rate")
    #expect(bench.center.trace.count == 0)
  }

  @Test func extremeArguments_areClampedOrRefused() throws {
    let bench = try Bench()
    let client = try bench.client()
    let (least, most) = (Duration.nanoseconds(Int64.min), Duration.nanoseconds(Int64.max))
    let media: [MediaRequest] = [
      .seekToPosition(least), .seekToPosition(most), .skipForward(most), .skipForward(least),
      .stars(-1e300), .changePlaybackRate(1e300),
    ]
    let others: [CommandRequest] = [
      .volume(.change(thousandths: Int(Int32.max))), .volume(.change(thousandths: Int(Int32.min))),
      .template(.button(Int(Int32.min))), .template(.button(Int(Int32.max))),
    ]
    for request in media.map({ CommandRequest.media($0) }) + others {
      let outcome = try bench.answer { client.call(Commands1.send, SentCommand(request), $0) }.get()
      #expect(bench.center.trace[outcome.number]?.answer != nil)
    }
    #expect(bench.center.volume.level == .silent)
  }

  @Test func callThatIsRefused_requestsNoTurn() throws {
    let bench = try Bench()
    let peer = try bench.peer()
    func turns(_ command: String) throws -> Int {
      let before = bench.turnCount
      _ = try bench.call(
        peer, Commands1.interface.name, "Send",
        [.string(command), .properties([]), .properties([])])
      try bench.loop.step(timeout: .zero)
      return bench.turnCount - before
    }
    #expect(try turns("next") == 1)
    #expect(try turns("unknown") == 0)
  }

  @Test func lateAnswer_isSentWhenItArrives() throws {
    let bench = try Bench()
    let client = try bench.client()
    bench.source.keepsReplies = true
    var outcome: CommandOutcome?
    client.call(Commands1.send, SentCommand(.media(.next))) { outcome = try? $0.get() }
    try bench.loop.turn { !bench.source.replies.isEmpty }
    // Other calls are answered in the meantime.
    #expect(try bench.answer { client.call(Unit1.getFacts, .audio, $0) }.get().sections.count == 2)
    #expect(outcome == nil)
    let late = Refusal(.failed, "not today", remedy: "try tomorrow")
    bench.source.replies[0](.failed(late), at: MonotonicInstant.now())
    try bench.loop.turn { outcome != nil }
    #expect(outcome?.answer == .failed(late))
  }

  @Test func sourceWithoutAnswer_isRefusedAsTooLate() throws {
    let bench = try Bench()
    let client = try bench.client()
    bench.source.keepsReplies = true
    var outcome: CommandOutcome?
    client.call(Commands1.send, SentCommand(.media(.next))) { outcome = try? $0.get() }
    try bench.loop.turn { !bench.source.replies.isEmpty }
    bench.center.expire(at: MonotonicInstant.now().advanced(by: CommandReply.limit))
    try bench.loop.turn { outcome != nil }
    #expect(outcome?.answer.refusal?.code == .sourceTooLate)
  }

  @Test func shortMethods_returnNothingOrAnError() throws {
    let bench = try Bench()
    let peer = try bench.peer()
    func call(_ member: String, _ arguments: [BusValue] = []) throws -> Result<[BusValue], BusError>
    {
      try bench.call(peer, Commands1.interface.name, member, arguments)
    }
    for member in ["Play", "Pause", "Toggle", "Stop", "Next", "Previous"] {
      #expect(try call(member) == .success([]), "\(member)")
    }
    #expect(try call("Seek", [.double(90)]) == .success([]))
    #expect(try call("Skip", [.double(-10.5)]) == .success([]))
    #expect(try call("SetVolume", [.double(35.5)]) == .success([]))
    #expect(bench.center.volume.level.thousandths == 355)
    #expect(try call("ChangeVolume", [.double(-5)]) == .success([]))
    #expect(bench.center.volume.level.thousandths == 305)
    #expect(try call("Mute", [.boolean(true)]) == .success([]))
    #expect(bench.center.volume.isMuted)
    #expect(try call("SetRepeat", [.string("all")]) == .success([]))
    #expect(try call("SetShuffle", [.string("items")]) == .success([]))
    #expect(bench.center.state.repeatMode == .all)
    #expect(bench.center.state.shuffleMode == .items)
    func errorName(_ result: Result<[BusValue], BusError>) -> String? {
      if case .failure(.remote(let name, _)) = result { name } else { nil }
    }
    #expect(
      errorName(try call("SetShuffle", [.string("collections")])) == "org.autoharp.Error.Failed")
    for number in [Double.nan, .infinity] {
      guard
        case .failure(.remote(BusErrorName.invalidArguments, _)) = try call(
          "Seek", [.double(number)])
      else {
        Issue.record("\(number)")
        continue
      }
    }
    for number in [1e300, -1e300] { _ = try call("Skip", [.double(number)]) }
    bench.source.go(to: 3)
    #expect(errorName(try call("Next")) == "org.autoharp.Error.NoSuchContent")
  }

  @Test func playQueueItem_findsTheItemByItsIdentity() throws {
    let bench = try Bench()
    let client = try bench.client()
    // D-Bus does not permit U+10FFFF, so the daemon sends U+FFFD instead. The daemon still finds the item.
    bench.source.tracks[2] = song("broken \u{10FFFF} name", number: 3)
    bench.source.publish()
    let state = try bench.answer { client.call(NowPlaying1.state.get, $0) }.get()
    #expect(state.upNext[1].id == "broken \u{FFFD} name")
    _ = try bench.answer { client.call(Commands1.playQueueItem, state.upNext[1].id, $0) }.get()
    #expect(bench.source.performed == ["play broken \u{10FFFF} name"])
    // The client requests an item that is neither in up next nor in the album. Only the source knows whether this item
    // exists.
    bench.source.failure = .noSuchContent(Refusal(.noSuchItem, "no such item"))
    let refusal = try bench.answer { client.call(Commands1.playQueueItem, "elsewhere", $0) }.refusal
    #expect(refusal?.code == .noSuchItem && bench.source.performed.last == "play elsewhere")
  }

  @Test func artwork_isAnImage_supersededOrAPlaceholder() throws {
    let bench = try Bench()
    let client = try bench.client()
    let size = ArtworkSize(width: 300, height: 200)
    func ask(_ id: String, _ size: ArtworkSize) throws -> ArtworkAnswer {
      try bench.answer { client.call(NowPlaying1.getArtwork, CoverRequest(id, size: size), $0) }
        .get()
    }
    let picture = ArtworkRepresentation(
      reference: "/covers/cover of track 1.jpeg", dataType: .jpeg,
      size: ArtworkSize(width: 200, height: 200), originalSize: ArtworkSize(width: 600, height: 600)
    )
    #expect(try ask("track 1", size) == .image(picture))
    guard case .image(let largest) = try ask("track 1", .largest) else {
      Issue.record("no picture")
      return
    }
    #expect(largest.size.width == 600)
    #expect(try ask("track 2", size) == .superseded)
    bench.source.go(to: 2)
    #expect(try ask("track 3", size) == .placeholder)
  }

  @Test func unitMethods_returnReports_andCarryOutRequests() throws {
    let bench = try Bench()
    let client = try bench.client()
    for topic in FactsTopic.allCases {
      #expect(
        try bench.answer { client.call(Unit1.getFacts, topic, $0) }.get()
          == bench.unit.report(topic))
    }
    #expect(try bench.answer { client.call(Unit1.getLatency, $0) }.get() == bench.unit.latency())
    #expect(try bench.answer { client.call(Unit1.getLog, 1, $0) }.get() == [bench.unit.log[1]])
    #expect(try bench.answer { client.call(Unit1.isShellAllowed, $0) }.get())
    _ = try bench.answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    let trace = try bench.answer { client.call(Unit1.getTrace, 2, $0) }.get()
    let record = try #require(bench.center.trace.records.first)
    #expect(trace.contains(.command(.init(record))))
    #expect(trace.count == 2)
    let report = try bench.answer { client.call(Unit1.diagnose, .everything, $0) }.get()
    let inspection = bench.center.inspection(at: MonotonicInstant.now())
    // A check already reports that the music has no cover. So the report does not contain the path of the decision tree
    // that leads to the pattern `noPicture`.
    let paths = DecisionTree.walk(inspection).filter { $0.pattern != .noPicture }
    #expect(report.paths.map(\.symptom) == paths.map(\.symptom.rawValue))
    #expect(report.findings.count == Checks.run(inspection).count + 1)
    #expect(report.findings.last == bench.unit.others.last)
    let artwork = try bench.answer { client.call(Unit1.diagnose, .symptom(.artwork), $0) }.get()
    #expect(artwork.paths.map(\.symptom) == [DecisionTree.Symptom.artwork.rawValue])

    _ = try bench.answer { client.call(Unit1.playChime, $0) }.get()
    _ = try bench.answer { client.call(Unit1.testSound, $0) }.get()
    _ = try bench.answer { client.begin(.interruption(.call), $0) }.get()
    _ = try bench.answer { client.end(.interruption(.other("tunnel")), $0) }.get()
    _ = try bench.answer { client.call(Unit1.reboot, $0) }.get()
    _ = try bench.answer { client.call(Unit1.powerOff, $0) }.get()
    #expect(
      bench.unit.done == ["chime", "test sound", "begin call", "end tunnel", "reboot", "poweroff"])
    let refusal = Refusal(.chimeHeld, "not now")
    bench.unit.refusal = refusal
    #expect(throws: ControlError.refused(refusal)) {
      try bench.answer { client.call(Unit1.playChime, $0) }.get()
    }
  }

  @Test func holds_endWithTheirClient() throws {
    let bench = try Bench()
    var client: ControlClient? = try bench.client()
    _ = try bench.answer { client?.begin(.interruption(.call), $0) }.get()
    _ = try bench.answer { client?.begin(.duck("prompt"), for: .seconds(9), $0) }.get()
    _ = try bench.answer { client?.end(.duck("other"), $0) }.get()
    client = nil
    try bench.loop.turn { bench.unit.done.count == 5 }
    #expect(
      bench.unit.done.prefix(3) == ["begin call", "begin duck prompt for 9.0", "end duck other"])
    #expect(Set(bench.unit.done.suffix(2)) == ["end call", "end duck prompt"])
  }

  @Test func holdThatOutlivesItsClient_staysForItsTime() throws {
    let bench = try Bench()
    var client: ControlClient? = try bench.client()
    _ = try bench.answer { client?.begin(.interruption(.call), outlives: true, $0) }.get()
    _ = try bench.answer {
      client?.begin(.interruption(.alarm), outlives: true, for: .seconds(20), $0)
    }.get()
    let other = try bench.client()
    client = nil
    try bench.loop.turn { bench.server?.peerCount == 1 }
    _ = try bench.answer { other.end(.interruption(.call), shouldResume: false, $0) }.get()
    #expect(
      bench.unit.done == [
        "begin call for 1800.0 outliving", "begin alarm for 20.0 outliving", "end call paused",
      ])
  }

  @Test func holdThatAnotherClientHasEnded_isForgotten() throws {
    let bench = try Bench()
    var client: ControlClient? = try bench.client()
    let other = try bench.client()
    _ = try bench.answer { client?.begin(.interruption(.call), $0) }.get()
    _ = try bench.answer { other.end(.interruption(.call), $0) }.get()
    _ = try bench.answer { other.begin(.interruption(.call), $0) }.get()
    client = nil
    try bench.loop.turn { bench.server?.peerCount == 1 }
    #expect(bench.unit.done == ["begin call", "end call", "begin call"])
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(24 * 3600 + 1)])
  func holdWithAnotherTime_isRefused(_ time: Duration) throws {
    let bench = try Bench()
    let client = try bench.client()
    let result = try bench.answer { client.begin(.duck("x"), for: time, $0) }
    guard case .failure(let error) = result else {
      Issue.record("begun")
      return
    }
    #expect(error.refusal.code == .invalidArguments && bench.unit.done.isEmpty)
  }

  @Test func notices_areSentToFollowersOnly() throws {
    let bench = try Bench()
    let (reader, other) = (try bench.client(), try bench.client())
    var notices: [UnitNotice] = []
    reader.onNotice = { notices.append($0) }
    other.onNotice = { _ in Issue.record("not followed") }
    reader.follow(notices: true)
    _ = try bench.answer { reader.call(Unit1.getFacts, .boot, $0) }
    bench.unit.outbox.put(.notice(UnitNotice(.cannotPlay, about: "a \0 song")))
    try bench.loop.turn { !notices.isEmpty }
    #expect(notices == [UnitNotice(.cannotPlay, about: "a \u{FFFD} song")])
  }

  @Test func unplayableFiles_areSentWithTheirFormats() throws {
    let bench = try Bench()
    let client = try bench.client()
    var notices: [UnitNotice] = []
    client.onNotice = { notices.append($0) }
    client.follow(notices: true)
    _ = try bench.answer { client.call(Unit1.getFacts, .boot, $0) }
    let notice = UnitNotice(
      .filesUnplayable, about: "MY STICK",
      files: UnplayableFormats(count: 143, formats: ["AAC", "WMA"]))
    bench.unit.outbox.put(.notice(notice))
    bench.unit.outbox.put(.notice(UnitNotice(.noMusic, about: "OTHER")))
    try bench.loop.turn { notices.count == 2 }
    #expect(notices == [notice, UnitNotice(.noMusic, about: "OTHER")])
  }

  @Test func noticeWithoutAFollower_isSentToTheFirstFollowerOnly() throws {
    let bench = try Bench()
    bench.unit.untakenNotices = [
      UnitNotice(.noMusic, about: "A"), UnitNotice(.noMusic, about: "B"),
    ]
    let (first, second) = (try bench.client(), try bench.client())
    var notices: [UnitNotice] = []
    first.onNotice = { notices.append($0) }
    second.onNotice = { _ in Issue.record("the first follower has received the notice") }
    first.follow(notices: true)
    try bench.loop.turn { notices.count == 2 }
    #expect(notices.map(\.about) == ["A", "B"])
    second.follow(notices: true)
    _ = try bench.answer { second.call(Unit1.getFacts, .boot, $0) }
  }

  @Test func focusMoves_areSentToFollowersOnly() throws {
    let bench = try Bench()
    let (screen, other) = (try bench.client(), try bench.client())
    var moves: [FocusMove] = []
    screen.onFocus = { moves.append($0) }
    other.onFocus = { _ in Issue.record("not followed") }
    screen.follow(focus: true)
    other.follow(notices: true)
    _ = try bench.answer { other.call(Unit1.getFacts, .boot, $0) }
    _ = try bench.answer { screen.call(Unit1.getFacts, .boot, $0) }
    bench.unit.outbox.put(.focus(FocusMove(.previous, times: 3)))
    bench.unit.outbox.put(.focus(FocusMove(.activate)))
    try bench.loop.turn { moves.count == 2 }
    #expect(moves == [FocusMove(.previous, times: 3), FocusMove(.activate)])
    screen.follow(focus: false)
    _ = try bench.answer { screen.call(Unit1.getFacts, .boot, $0) }
    bench.unit.outbox.put(.focus(FocusMove(.next)))
    _ = try bench.answer { screen.call(Unit1.getFacts, .boot, $0) }
    #expect(moves.count == 2)
  }

  @Test func follower_getsTheStateOfTheCarAtOnce_andEachChange() throws {
    let bench = try Bench()
    bench.unit.vehicle = VehicleState(headlightsAreOn: true)
    let screen = try bench.client()
    var states: [VehicleState] = []
    screen.onVehicle = { states.append($0) }
    screen.follow(vehicle: true)
    try bench.loop.turn { states.count == 1 }
    bench.unit.vehicle = VehicleState(headlightsAreOn: false)
    bench.unit.vehicle = VehicleState()
    try bench.loop.turn { states.last == VehicleState() }
    // The client can miss the second of the three states, because the daemon sends only the newest state.
    #expect(states.first?.headlightsAreOn == true)
  }

  @Test func albumAndButtonPictures_areReturned() throws {
    let bench = try Bench()
    let client = try bench.client()
    #expect(try bench.answer { client.call(NowPlaying1.getAlbum, $0) }.get().items.isEmpty)
    let items = [
      UpNextItem(
        id: "/a", title: "A", artist: "B", duration: .seconds(61), artworkID: "cover")
    ]
    bench.unit.albumOfNow = AlbumReport(title: "All", items: items)
    #expect(
      try bench.answer { client.call(NowPlaying1.getAlbum, $0) }.get()
        == AlbumReport(title: "All", items: items))
    _ = try bench.answer { client.call(Commands1.playQueueItem, "/a", $0) }.get()
    #expect(bench.source.performed == ["play /a"])

    let picture = ButtonPicture(.svgPath, Array("M0 0z".utf8))
    bench.source.session.updateTemplate(at: .now()) { template in
      template.setPicture(picture, named: "harp")
    }
    #expect(
      try bench.answer { client.call(NowPlaying1.getButtonPicture, "harp", $0) }.get() == picture)
    #expect(try bench.answer { client.call(NowPlaying1.getButtonPicture, "none", $0) }.get() == nil)
    #expect(ButtonPicture(.png, []) == nil)
    #expect(ButtonPicture(.png, [UInt8](repeating: 0, count: ButtonPicture.limit + 1)) == nil)
  }

  @Test func logAndTrace_areSentToFollowersOnly() throws {
    let bench = try Bench()
    let (reader, other) = (try bench.client(), try bench.client())
    var lines: [String] = []
    var entries: [TraceEntry] = []
    reader.onLog = { lines.append($0.text) }
    reader.onTrace = { entries.append($0) }
    other.onLog = { _ in Issue.record("not followed") }
    other.onTrace = { _ in Issue.record("not followed") }
    reader.follow(log: true, trace: true)
    _ = try bench.answer { reader.call(Unit1.getFacts, .boot, $0) }
    bench.unit.addLogLine("one")
    _ = try bench.answer { other.call(Commands1.send, SentCommand(.media(.next)), $0) }
    let record = try #require(bench.center.trace.records.first)
    bench.unit.outbox.put(.trace(.command(.init(record))))
    try bench.loop.turn { lines == ["one"] && entries.count == 2 }
    #expect(entries.last == .command(.init(record)))
    guard case .publication(let revision, let reasons, _)? = entries.first else {
      Issue.record("\(entries)")
      return
    }
    #expect(revision == bench.center.state.revision)
    #expect(reasons.contains("trackChange"))
    let key = TraceEntry.key(
      "KEY_F13 (183) of Wheel has no action", at: record.received.sinceOrigin)
    bench.unit.outbox.put(.trace(key))
    try bench.loop.turn { entries.last == key }
    let keys = bench.center.connect(SurfaceDescription(id: "keys"), at: record.received) { _ in }
    let number = keys.send(
      .media(.next), on: .keys, of: .bluetooth("Pixel"), at: record.received)
    let press = try #require(bench.center.trace[number])
    bench.unit.outbox.put(.trace(.command(.init(press))))
    try bench.loop.turn { entries.last == .command(.init(press)) }
    #expect(press.origin?.name == "Pixel")
    let count = entries.count
    reader.follow(log: false)
    _ = try bench.answer { reader.call(Unit1.getFacts, .boot, $0) }
    bench.unit.addLogLine("two")
    bench.source.go(to: 0)
    try bench.loop.turn { entries.count > count }
    _ = try bench.answer { other.call(Unit1.getFacts, .boot, $0) }
    #expect(lines == ["one"])
  }

  @Test func trace_includesEventsOfTheSound() throws {
    let bench = try Bench()
    let client = try bench.client()
    let early = TraceEntry.sink("the card was opened", at: .zero)
    let late = TraceEntry.sink("the card was lost", at: MonotonicInstant.now().sinceOrigin)
    bench.unit.soundTrace = [early, late]
    let trace = try bench.answer { client.call(Unit1.getTrace, 100, $0) }.get()
    #expect(trace.first == early && trace.last == late && trace.count > 2)
    #expect(try bench.answer { client.call(Unit1.getTrace, 1, $0) }.get() == [late])
  }
}
