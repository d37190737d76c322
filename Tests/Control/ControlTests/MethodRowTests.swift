import BusMethods
import EventLoop
import LibraryModel
import NowPlaying
import Reports
import Testing

@testable import Control

/// The tests write and read values with the declaration of each method and signal. No field of these values has its
/// default value. So the tests find each field that a declaration leaves out, which the compiler does not find.
@Suite struct MethodRowTests {
  private struct Checked {
    var names: Set<String> = []

    mutating func check<Value: Equatable>(
      _ name: String, _ fields: Fields<Value>, _ value: Value
    ) throws {
      let values = fields.write(value)
      #expect(values.map(\.signature) == fields.list.map(\.signature), "\(name)")
      for case .dictionary(_, _, let entries) in values { #expect(!entries.isEmpty, "\(name)") }
      #expect(try fields.read(values) == value, "\(name)")
      names.insert(name)
    }

    mutating func arguments<Value: Equatable, Results>(
      _ method: ControlMethod<Value, Results>, _ value: Value
    ) throws { try check(method.row.method.fullName, method.method.takes, value) }

    mutating func results<Arguments, Value: Equatable>(
      _ method: ControlMethod<Arguments, Value>, _ value: Value
    ) throws { try check(method.row.method.fullName, method.method.returns, value) }

    mutating func followed<Value: Equatable>(
      _ followed: FollowedValue<Value>, _ value: Value
    ) throws {
      try results(followed.get, value)
      try results(followed.subscribe, value)
      try signal(followed.changed, value)
    }

    mutating func signal<Value: Equatable>(_ signal: BusSignal<Value>, _ value: Value) throws {
      try check("\(signal.interface).\(signal.name)", signal.carries, value)
    }
  }

  private static let song = RowReference(kind: .song, id: 7)

  @Test func arguments_areReadAsTheyWereWritten() throws {
    var all = Checked()
    try all.arguments(NowPlaying1.getArtwork, CoverRequest("a", size: .init(width: 3, height: 4)))
    try all.arguments(NowPlaying1.getButtonPicture, "a")
    let command = CommandRequest.media(.seekToPosition(.seconds(9)))
    try all.arguments(Commands1.send, SentCommand(command, isRepeat: true, from: "a"))
    try all.arguments(Commands1.seek, .seconds(90.5))
    try all.arguments(Commands1.skip, .seconds(-10))
    try all.arguments(Commands1.setVolume, 355)
    try all.arguments(Commands1.changeVolume, -25)
    try all.arguments(Commands1.mute, true)
    try all.arguments(Commands1.setRepeat, .all)
    try all.arguments(Commands1.setShuffle, .items)
    try all.arguments(Commands1.like, true)
    try all.arguments(Commands1.dislike, true)
    try all.arguments(Commands1.bookmark, true)
    try all.arguments(Commands1.setStars, 3.5)
    try all.arguments(Commands1.playQueueItem, "a")
    try all.arguments(Surface1.register, SurfaceRegistration(name: "a", showsTemplate: true))
    try all.arguments(
      Surface1.observed,
      DisplayedState(
        title: "a", subtitle: "b", detail: "c", duration: .seconds(9), status: .playing,
        elapsed: .seconds(3), volume: VolumeLevel(thousandths: 7), trackNumber: 2,
        repeatMode: .all, isShuffled: true))
    try all.arguments(Surface1.confirmShown, 3)
    try all.arguments(Surface1.returnToken, 3)
    try all.arguments(
      Library1.getRows, RowsRequest(.album(3), cursor: "a", heading: "b", limit: 9))
    try all.arguments(Library1.getLetters, LettersRequest(.node(.album(3)), under: "a"))
    try all.arguments(
      Library1.search,
      NumberedSearch(SearchRequest("a", isByKeys: true, kind: .album, limit: 9), number: 3))
    try all.arguments(Library1.findSimilar, SimilarRequest("a", kind: .album, limit: 9))
    try all.arguments(Library1.getItemArtwork, Self.song)
    try all.arguments(Library1.play, PlayRequest(.words("a"), row: Self.song, .shuffled))
    try all.arguments(Library1.getRecent, 3)
    try all.arguments(Library1.getQueue, QueuePart(first: 7, limit: 9))
    try all.arguments(Library1.moveQueueItem, QueueMove(3, before: 4, revision: 5))
    try all.arguments(Library1.removeQueueItem, QueueRemoval(3, revision: 5))
    try all.arguments(Library1.clearQueue, 5)
    try all.arguments(Library1.undoQueue, 5)
    try all.arguments(Library1.savePlaylist, "a")
    try all.arguments(Library1.addToPlaylist, PlaylistAddition("a", .words("b"), row: Self.song))
    try all.arguments(Library1.removeFromPlaylist, PlaylistRemoval("a", Self.song))
    try all.arguments(Library1.renamePlaylist, Renaming("a", to: "b"))
    try all.arguments(Library1.deletePlaylist, "a")
    for method in [Sources1.choose, Sources1.rescan, Sources1.readAnew, Sources1.forget] {
      try all.arguments(method, "a")
    }
    try all.arguments(Session1.open, AppValues.opening)
    try all.arguments(Session1.close, Numbered(3, true))
    try all.arguments(Session1.setActive, Numbered(3, true))
    try all.arguments(Session1.publish, Numbered(3, AppValues.publication))
    try all.arguments(Session1.claim, Numbered(3, .person))
    let answer = CommandAnswer.failed(Refusal(.surfaceTaken, "a sentence", remedy: "a remedy"))
    try all.arguments(Session1.answer, Numbered(3, Numbered(4, answer)))
    try all.arguments(
      Session1.setTemplate, Numbered(3, Numbered(4, AppValues.opening.template)))
    try all.arguments(
      Session1.setButtonPicture, Numbered(3, NamedPicture("a", ButtonPicture(.png, [1, 2]))))
    try all.arguments(Session1.giveArtwork, Numbered(3, GivenArtwork(4, .png)))
    try all.arguments(Session1.giveNoArtwork, Numbered(3, 4))
    try all.arguments(Sound1.openSound, Numbered(3, AppValues.format))
    try all.arguments(Sound1.mark, Numbered(3, AppValues.mark))
    try all.arguments(Sound1.flush, Numbered(3, 4))
    try all.arguments(Sound1.finish, Numbered(3, 4))
    try all.arguments(Sound1.closeSound, 3)
    try all.arguments(Bluetooth1.openPairing, .seconds(60))
    try all.arguments(Bluetooth1.find, .seconds(60))
    try all.arguments(Bluetooth1.add, "a")
    try all.arguments(Bluetooth1.acceptPairing, 3)
    try all.arguments(Bluetooth1.rejectPairing, 3)
    try all.arguments(Bluetooth1.connect, "a")
    try all.arguments(Bluetooth1.disconnect, "a")
    try all.arguments(Bluetooth1.rename, Renaming("a", to: "b"))
    try all.arguments(Bluetooth1.setFirstChoice, "a")
    try all.arguments(Bluetooth1.forget, "a")
    try all.arguments(Settings1.set, SettingChange("a", to: "b"))
    try all.arguments(Settings1.reset, "a")
    try all.arguments(Settings1.setTime, -3)
    try all.arguments(Unit1.getFacts, .audio)
    for request in [DiagnosisRequest.everything, .complaint(.phone), .symptom(.artwork)] {
      try all.arguments(Unit1.diagnose, request)
    }
    try all.arguments(Unit1.getTrace, 3)
    try all.arguments(Unit1.getLog, 3)
    try all.arguments(Unit1.follow, [.log, .vehicle])
    let hold = HoldBegin("a", outlives: true, for: .seconds(3))
    try all.arguments(Unit1.beginInterruption, hold)
    try all.arguments(Unit1.beginDuck, hold)
    try all.arguments(Unit1.endInterruption, InterruptionEnd("a", shouldResume: false))
    try all.arguments(Unit1.endDuck, "a")
    for isParked in [true, false, nil] { try all.arguments(Unit1.setParked, isParked) }
    let rows = ControlInterface.all.flatMap(\.rows).map(\.method)
    #expect(all.names == Set(rows.filter { !$0.arguments.isEmpty }.map(\.fullName)))
  }

  @Test func results_areReadAsTheyWereWritten() throws {
    var all = Checked()
    let unit = FakeUnit()
    try all.followed(NowPlaying1.state, unit.center.state)
    let size = ArtworkSize(width: 3, height: 4)
    try all.results(
      NowPlaying1.getArtwork,
      .image(
        ArtworkRepresentation(
          reference: "/a", dataType: .png, size: size,
          originalSize: ArtworkSize(width: 30, height: 40))))
    try all.results(NowPlaying1.getButtonPicture, ButtonPicture(.png, [1, 2]))
    try all.results(
      NowPlaying1.getAlbum,
      AlbumReport(
        title: "a",
        items: [UpNextItem(id: "b", title: "c", artist: "d", duration: .seconds(9), artworkID: "e")]
      ))
    try all.results(
      Commands1.send,
      CommandOutcome(
        number: 3, answer: .failed(Refusal(.surfaceTaken, "a sentence", remedy: "a remedy"))))
    try all.results(Surface1.register, unit.center.state)
    try all.results(Surface1.observed, "settling")
    var state = FakeLibrary.full
    // The volumes are sent separately, by ``Sources1``.
    state.volumes = []
    try all.followed(Library1.state, state)
    try all.results(Library1.getRows, RowsAnswer(revision: 3, batch: FakeLibrary.fullBatch))
    try all.results(Library1.getLetters, [LetterGroup(heading: "a", count: 3)])
    var found = LibraryFindings()
    found.rows = FakeLibrary.fullBatch.rows
    found.more = [.album]
    try all.results(Library1.search, SearchAnswer(number: 3, found: found))
    try all.results(Library1.findSimilar, found.rows)
    try all.results(Library1.getItemArtwork, [1, 2])
    try all.results(Library1.getRecent, FakeQueue().recent)
    try all.results(Library1.getQueue, FakeQueue.report)
    try all.results(Library1.getDoubts, FakeLibrary.doubts)
    try all.followed(Sources1.sources, FakeLibrary.full.volumes)
    try all.results(
      Session1.open,
      Numbered(3, SessionWelcome(language: "de", hasScreen: true, hasPlayed: true)))
    try all.results(Session1.setActive, .stillPlaying)
    try all.results(Session1.claim, .refused([.noContent]))
    // A descriptor is the same object after it was written and read without a message.
    let descriptor = try #require(BusDescriptor(duplicating: 0))
    try all.results(Session1.giveArtwork, descriptor)
    try all.results(
      Sound1.openSound, OpenedSound(stream: 3, socket: descriptor, format: AppValues.format))
    try all.signal(Session1.command, Numbered(3, Numbered<CommandRequest?>(4, .media(.stars(3)))))
    for instruction in AppValues.instructions where instruction != .resume {
      try all.signal(Session1.instruction, Numbered(3, instruction))
    }
    try all.signal(
      Session1.screenConnected, Numbered(3, ConnectedScreen(number: 4, name: "a")))
    try all.signal(Session1.artworkWanted, Numbered(3, WantedArtwork(4, "a", "b", 5, 6)))
    try all.signal(Session1.status, Numbered(3, AppValues.status))
    try all.signal(
      Sound1.heard,
      HeardFrame(
        stream: 3, frame: 4,
        at: MonotonicInstant(awake: .nanoseconds(5), suspended: .nanoseconds(6))))
    try all.signal(Sound1.ran, Numbered(3, .dropped))
    try all.followed(Bluetooth1.phones, FakePhones.full)
    try all.results(Bluetooth1.add, "a")
    try all.results(Bluetooth1.connect, "a")
    let settings = unit.fakeSettings.state
    try all.followed(Settings1.state, settings)
    try all.results(Settings1.set, settings.settings[1])
    try all.results(Settings1.reset, settings.settings[1])
    try all.results(Settings1.repair, "settings.conf.wrong-1")
    try all.results(Unit1.getFacts, unit.report(.audio))
    try all.results(Unit1.getLatency, unit.latency())
    try all.results(
      Unit1.diagnose,
      DiagnosisReport(
        findings: [.init("a", "b", .bad, "c", meaning: "d", remedy: "e")],
        paths: [.init(symptom: "a", steps: [.init("b", true)], pattern: "c", remedy: "d")]))
    let entry = TraceEntry.command(
      .init(
        number: 3, surface: "a", origin: "b", inputPath: "c", request: "d", verdict: "e",
        answer: "f", code: .failed, at: .seconds(1), answeredAfter: .seconds(2),
        heardAfter: .seconds(3)))
    try all.results(Unit1.getTrace, [entry, .key("a", at: .seconds(1))])
    try all.results(Unit1.getLog, unit.log)
    try all.results(Unit1.isShellAllowed, true)
    try all.signal(Surface1.channelToken, 3)
    try all.signal(Unit1.logLine, unit.log[1])
    try all.signal(Unit1.traceRecord, entry)
    try all.signal(Unit1.notice, UnitNotice(.phoneAwaited, about: "a"))
    try all.signal(
      Unit1.filesUnplayable,
      UnitNotice(
        .filesUnplayable, about: "a", files: UnplayableFormats(count: 3, formats: ["b", "c"])))
    try all.signal(Unit1.focusMoved, FocusMove(.previous, times: 3))
    try all.signal(
      Unit1.vehicleChanged,
      VehicleState(headlightsAreOn: true, isParked: true, isReversing: true))
    let tables = ControlInterface.all
    let methods = tables.flatMap(\.rows).map(\.method).filter { !$0.results.isEmpty }
    let signals = tables.flatMap { table in
      table.declaration.signals.map { "\(table.name).\($0.name)" }
    }
    #expect(all.names == Set(methods.map(\.fullName) + signals))
  }

  /// `Send` has five results. An older daemon sends three of them, and a newer daemon can send more than five.
  @Test func answersOfOtherVersions_areRead() throws {
    let results = Commands1.send.method.returns
    let full = results.write(CommandOutcome(number: 4, answer: .success))
    for values in [Array(full.prefix(3)), full + [.string("new"), .uint32(1)]] {
      #expect(try results.read(values) == CommandOutcome(number: 4, answer: .success))
    }
    #expect(throws: WireError.self) { try results.read([.string("4")]) }
    #expect(throws: WireError.self) { try results.read(Array(full.prefix(2))) }
  }

  @Test func optionOfAnotherType_isRefused_andAnyIntegerIsATime() throws {
    let takes = Unit1.beginInterruption.method.takes
    for time: BusValue in [.int64(5_000_000_000), .uint64(5_000_000_000)] {
      let hold = try takes.read([.string("call"), .properties(["time": time, "new": .byte(1)])])
      #expect(hold == HoldBegin("call", for: .seconds(5)))
    }
    for options: BusValue in [
      .properties(["time": .string("5")]), .properties(["outlivesClient": .int32(1)]),
      .properties(["time": .int64(0)]),
    ] {
      #expect(throws: WireError.self) { try takes.read([.string("call"), options]) }
    }
  }
}
