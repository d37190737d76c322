import BusMethods
import Control
import EventLoop
import NowPlaying
import SystemClock
import TestKit
import Testing

@Suite struct StateWireTests {
  private func round(_ state: NowPlayingState) throws -> NowPlayingState {
    try StateCoding.state(StateCoding.value(of: state))
  }

  private func state(
    content: MediaContent? = nil, playback: MediaPlaybackSnapshot? = nil,
    commands: [CommandOffer] = [], template: TemplateState = .empty,
    language: LanguageTag = .undefined, interruptions: [Interruption.Reason] = []
  ) -> NowPlayingState {
    NowPlayingState(
      revision: 7, session: "local", content: content, playback: playback, commands: commands,
      template: template, volume: Volume(level: VolumeLevel(thousandths: 123), isMuted: true),
      interruptions: interruptions, language: language, isSelfPublished: true)
  }

  @Test func stateOfAPlayer_encodedAndDecoded_isEqual() throws {
    let unit = FakeUnit()
    unit.source.setRate(1)
    let port = unit.center.connect(
      SurfaceDescription(id: "screen", showsTemplate: true), at: MonotonicInstant.now()
    ) { _ in }
    let state = unit.center.state
    #expect(state.template.buttons.count == 2)
    #expect(state.commands.count == CommandKind.allCases.count)
    let back = try round(state)
    #expect(back == state)
    let later = MonotonicInstant.now().advanced(by: .seconds(5))
    #expect(DisplayedState(of: back, at: later) == DisplayedState(of: state, at: later))
    #expect(TemplateText.dump(back, at: later) == TemplateText.dump(state, at: later))
    withExtendedLifetime(port) {}
  }

  @Test func emptyState_encodedAndDecoded_isEqual() throws {
    let state = NowPlayingState(revision: 1, volume: Volume(level: .silent))
    #expect(try round(state) == state)
  }

  @Test(arguments: [
    MediaPlaybackSnapshot.PlaybackState.playing(rate: -5), .playing(rate: 0.5), .paused,
    .buffering, .interrupted, .stopped,
  ])
  func playback_inEveryState_isDecodedAsEncoded(_ playback: MediaPlaybackSnapshot.PlaybackState)
    throws
  {
    let snapshot = MediaPlaybackSnapshot(
      state: playback, defaultPlaybackRate: 1.5, elapsedTime: .nanoseconds(1_234_567_891),
      timestamp: MonotonicInstant(awake: .nanoseconds(99), suspended: .milliseconds(12)),
      seekNumber: 4, advancesInSuspend: true)
    #expect(try round(state(playback: snapshot)).playback == snapshot)
    let broadcast = MediaPlaybackSnapshot(
      state: playback, elapsedTime: nil, timestamp: MonotonicInstant.now())
    #expect(try round(state(playback: broadcast)).playback == broadcast)
  }

  @Test func content_ofEveryKind_isDecodedAsEncoded() throws {
    var radio = RadioContent(id: "r", stationName: "Radio", programName: "News")
    radio.isPlaceholder = true
    var generic = GenericContent(
      id: "g", title: "Rain", subtitle: "on a roof", type: .video, duration: .continuous)
    generic.adTimeRanges = [AdTimeRange(start: .seconds(1), duration: .milliseconds(2500))]
    generic.collectionID = "weather"
    generic.isExplicit = false
    var music = MusicContent(
      id: "/müsic/ß.flac",
      metadata: [
        MetadataItem(.title, "One"), MetadataItem(.title, "Eins", language: "de"),
        MetadataItem(.trackNumber, 3), .jpeg(.artwork, at: "/c.jpeg"), .png(.artwork, at: "/c.png"),
      ], duration: nil, artwork: Artwork(id: "cover") { _ in .none })
    music.isExplicit = true
    for content in [MediaContent.radio(radio), .generic(generic), .music(music)] {
      let state = state(content: content, language: "de-AT")
      let back = try round(state)
      #expect(back == state)
      #expect(back.lines == state.lines)
      #expect(back.duration == state.duration)
      #expect(back.artwork == state.artwork)
    }
  }

  @Test func buttonsAndInterruptions_areDecodedAsEncoded() throws {
    let kinds: [NowPlayingButton.Kind] = [
      .image("heart"), .addToLibrary, .more, .playbackRate, .shuffle,
    ]
    let face = TemplateState(
      buttons: kinds.map { .init(kind: $0, isEnabled: $0 != .more, isSelected: true, value: "x") },
      upNext: .title("Next stops"), isAlbumArtistEnabled: true)
    let state = state(
      template: face, interruptions: [.call, .reversing, .alarm, .other("tunnel")])
    #expect(try round(state) == state)
  }

  @Test func hugeTags_fitIntoAMessage_andKeepTheLines() throws {
    let long = String(repeating: "ä", count: 40_000)
    var metadata = MetadataItems()
    for number in 0..<500 { metadata.append(MetadataItem(.artist, "\(number) \(long)")) }
    for number in 0..<500 { metadata.append(MetadataItem(.init("other"), "\(number)")) }
    metadata.append(MetadataItem(.title, "The title"))
    for number in 0..<50 {
      metadata.append(MetadataItem(.albumName, "Album", language: LanguageTag("x\(number)")))
    }
    metadata.append(MetadataItem(.albumName, "Das Album", language: "de"))
    var music = MusicContent(id: long, metadata: metadata, duration: .live)
    music.adTimeRanges = (0..<10_000).map {
      AdTimeRange(start: .seconds(2 * $0), duration: .seconds(1))
    }
    let languages = (0..<1000).map {
      LanguageOption(id: "\($0) \(long)", kind: .audible, language: "de", name: long)
    }
    let state = NowPlayingState(
      revision: 1, session: "local", content: .music(music),
      commands: [
        CommandOffer(.enableLanguageOption, parameters: .languages(languages, enabled: [long])),
        CommandOffer(.disableLanguageOption, parameters: .languages(languages, enabled: [long])),
      ],
      upNext: (0..<100).map { UpNextItem(id: "\($0) \(long)", title: long, artist: long) },
      template: TemplateState(
        buttons: (0..<5).map {
          .init(kind: .image("\($0)" + long), isEnabled: true, isSelected: true, value: long)
        }, upNext: .title(long), isAlbumArtistEnabled: true),
      volume: Volume(level: .silent),
      interruptions: (0..<100).map { .other("\($0) \(long)") }, language: "de")

    let bench = try Bench()
    var body: [BusValue]?
    // The state is sent over a real connection, because a connection limits the size of messages.
    let echo = BusObject(
      path: "/echo", interfaces: [BusInterface("org.autoharp.Echo", methods: [.init("Ask")])],
      onCall: { call in
        try? call.bus?.emit("/echo", "org.autoharp.Echo", "Test", [StateCoding.value(of: state)])
        call.reply()
      })
    let listener = try PeerListener(bench.loop, path: bench.folder.path("echo"))
    let tree = ObjectTree()
    try tree.add(echo)
    listener.onPeer = { $0.objects = tree }
    let other = try Bus(bench.loop, to: .peer("unix:path=\(bench.folder.path("echo"))"))
    let echoed = try other.match(MatchRule(member: "Test")) { body = try? $0.body().values }
    other.call(nil, "/echo", "org.autoharp.Echo", "Ask") { _ in }
    try bench.loop.turn { body != nil }
    let back = try StateCoding.state(try #require(body?.first))
    #expect(back.lines.title == "The title")
    #expect(back.lines.detail == "Das Album")
    #expect(back.lines.subtitle?.hasPrefix("0 ää") == true)
    #expect(back.upNext.count == NowPlayingState.upNextLimit)
    #expect(back.content?.metadata.items.count == 64)
    withExtendedLifetime((echoed, listener)) {}
  }

  @Test func fieldsOfANewerDaemon_areSkipped() throws {
    let known = StateCoding.value(of: FakeUnit().center.state)
    var entries = known.entries ?? []
    entries.append(.init(.string("weather"), .variant(.string("rain"))))
    entries.removeAll { $0.key.text == "commands" }
    entries.append(
      .init(
        .string("commands"),
        .variant(
          .array(
            of: "a{sv}",
            [
              .properties(["command": .string("levitate"), "height": .double(1)]),
              .properties(["command": .string("next"), "fanciness": .int32(3)]),
            ]))))
    entries.append(
      .init(
        .string("template"),
        .variant(
          .properties([
            "buttons": .array(of: "a{sv}", [.properties(["kind": .string("teleport")])])
          ]))))
    let state = try StateCoding.state(.dictionary(key: "s", value: "v", entries))
    #expect(state.commands == [CommandOffer(.next)])
  }

  @Test func invalidState_isAnErrorWithItsPath() {
    func error(_ change: (inout [String: BusValue]) -> Void) -> WireError? {
      var entries: [String: BusValue] = [:]
      for entry in StateCoding.value(of: FakeUnit().center.state).entries ?? [] {
        entries[entry.key.text ?? ""] = entry.value.unwrapped
      }
      change(&entries)
      do {
        _ = try StateCoding.state(.properties(entries.map { ($0.key, $0.value) }))
        return nil
      } catch {
        return error
      }
    }
    let cases: [(WireError.Kind, path: String, change: (inout [String: BusValue]) -> Void)] = [
      (.missing, "volume", { $0["volume"] = nil }),
      (.wrongType, "revision", { $0["revision"] = .string("1") }),
      (.invalidValue, "revision", { $0["revision"] = .int64(-1) }),
      (.missing, "content.id", { $0["content"] = .properties([:]) }),
      (.wrongType, "content", { $0["content"] = .string("x") }),
      (
        .invalidValue, "playback.state",
        { $0["playback"] = .properties(["state": .string("dancing"), "awake": .int64(1)]) }
      ),
      (.wrongType, "commands[0]", { $0["commands"] = .array(of: "s", [.string("next")]) }),
    ]
    for (kind, path, change) in cases {
      let found = error(change)
      #expect(found?.kind == kind, "\(path)")
      #expect(found?.field == path)
    }
    for rate in [0, Double.nan, .infinity, -.infinity] {
      let playback = BusValue.properties([
        "state": .string("playing"), "rate": .double(rate), "awake": .int64(1),
      ])
      #expect(error { $0["playback"] = playback }?.field == "playback.rate")
    }
    for rate in [0, -1, Double.nan] {
      let playback = BusValue.properties([
        "state": .string("paused"), "defaultRate": .double(rate), "awake": .int64(1),
      ])
      #expect(error { $0["playback"] = playback }?.field == "playback.defaultRate")
    }
    #expect(throws: WireError.self) { try StateCoding.state(.string("state")) }
  }

  @Test func randomChanges_neverCrash() throws {
    var random = SystemRandomNumberGenerator()
    let unit = FakeUnit()
    let port = unit.center.connect(
      SurfaceDescription(id: "screen", showsTemplate: true), at: MonotonicInstant.now()
    ) { _ in }
    let whole = StateCoding.value(of: unit.center.state)
    var readable = 0
    for _ in 0..<3000 {
      let value = Mutation.of(whole, &random)
      do {
        let state = try StateCoding.state(value)
        readable += 1
        // Surfaces must be able to use each state that can be read, so compute their text from the state.
        _ = TemplateText.dump(state, at: MonotonicInstant.now())
        _ = StateCoding.value(of: state)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(readable > 100)
    withExtendedLifetime(port) {}
  }
}

/// Changes a random part of a value.
private enum Mutation {
  static func of(_ value: BusValue, _ random: inout some RandomNumberGenerator) -> BusValue {
    if Int.random(in: 0..<12, using: &random) == 0 { return other(&random) }
    switch value {
    case .variant(let inner): return .variant(of(inner, &random))
    case .array(let type, let values):
      guard !values.isEmpty else { return other(&random) }
      let index = Int.random(in: 0..<values.count, using: &random)
      var copy = values
      copy[index] = of(values[index], &random)
      return .array(of: type, copy)
    case .structure(let values):
      let index = Int.random(in: 0..<values.count, using: &random)
      var copy = values
      copy[index] = of(values[index], &random)
      if Int.random(in: 0..<4, using: &random) == 0 { copy.removeLast() }
      return .structure(copy)
    case .dictionary(let key, let type, let entries):
      guard !entries.isEmpty else { return other(&random) }
      let index = Int.random(in: 0..<entries.count, using: &random)
      var copy = entries
      copy[index] = .init(entries[index].key, of(entries[index].value, &random))
      if Int.random(in: 0..<4, using: &random) == 0 {
        copy.remove(at: Int.random(in: 0..<entries.count, using: &random))
      }
      return .dictionary(key: key, value: type, copy)
    default: return other(&random)
    }
  }

  private static func other(_ random: inout some RandomNumberGenerator) -> BusValue {
    let values: [BusValue] = [
      .string(""), .string("music"), .string("playing"), .int64(.max), .int64(.min), .int64(0),
      .uint64(.max), .double(.nan), .double(.infinity), .double(0), .double(-1e308), .double(1e308),
      .boolean(true), .byte(0), .array(of: "s", []), .properties([:]), .structure([.int64(1)]),
      .bytes([1, 2]), .array(of: "v", [.variant(.variant(.int64(3)))]),
    ]
    return values.randomElement(using: &random) ?? .byte(0)
  }
}
