import BusMethods
import EventLoop
import NowPlaying
import TestKit
import Testing

@testable import Control

@Suite struct SessionWireTests {
  @Test func randomValues_areReadAsTheyWereWritten() throws {
    for seed in 0..<300 as Range<UInt64> {
      var app = RandomApp(seed)
      let opening = app.opening()
      #expect(try read(Session1.open, opening) == opening, "\(seed)")
      let publication = Numbered(3, app.publication())
      #expect(try read(Session1.publish, publication) == publication, "\(seed)")
      let template = Numbered(3, Numbered(4, app.template()))
      #expect(try read(Session1.setTemplate, template) == template, "\(seed)")
      let mark = Numbered(
        3, SoundMark(frame: app.random.below(1 << 52), content: app.content(), time: .seconds(1)))
      #expect(try read(Sound1.mark, mark) == mark, "\(seed)")
    }
  }

  private func read<Value, Results>(
    _ method: ControlMethod<Value, Results>, _ value: Value
  ) throws -> Value { try method.method.takes.read(method.method.takes.write(value)) }

  private func publication(_ entries: KeyValuePairs<String, BusValue>) throws -> SessionPublication
  {
    try SessionCoding.publication(.properties(entries))
  }

  private func field(_ entries: KeyValuePairs<String, BusValue>) -> String? {
    do {
      _ = try publication(entries)
      return nil
    } catch { return (error as? WireError)?.field }
  }

  /// An app publishes what `GetState` answers.
  @Test func stateOfTheUnit_canBePublished() throws {
    let unit = FakeUnit()
    unit.source.setRate(1)
    let state = unit.center.state
    let publication = try SessionCoding.publication(StateCoding.value(of: state))
    #expect(publication.content == state.content && publication.commands == state.commands)
    #expect(publication.playback == .snapshot(state.playback))
    #expect(publication.upNext == state.upNext)
  }

  @Test func fieldOfAWrongType_isRefusedWithItsName() {
    for name in [
      "content", "playback", "commands", "upNext", "isSelfPublished", "condition", "players",
      "stream",
    ] { #expect(field([name: .double(1)]) == name) }
    func list(_ values: KeyValuePairs<String, BusValue>) -> BusValue {
      .array(of: "a{sv}", [.properties(values)])
    }
    for (entries, name): (KeyValuePairs<String, BusValue>, String) in [
      (["content": .properties([])], "content.id"),
      (["content": .properties(["id": .int32(1)])], "content.id"),
      (["content": .properties(["id": .string(String(repeating: "x", count: 5000))])], "content"),
      (["playback": .properties([])], "playback.state"),
      (["playback": .properties(["state": .string("flying")])], "playback.state"),
      (
        ["playback": .properties(["state": .string("playing"), "rate": .double(.infinity)])],
        "playback.rate"
      ),
      (
        ["playback": .properties(["state": .string("playing"), "rate": .double(0)])],
        "playback.rate"
      ),
      (
        ["playback": .properties(["state": .string("playing"), "rate": .double(1e9)])],
        "playback.rate"
      ),
      (
        ["playback": .properties(["state": .string("paused"), "defaultRate": .double(-1)])],
        "playback.defaultRate"
      ),
      (["stream": .uint64(1)], "playback"),
      (["players": .array(of: "t", [])], "players"),
      (["players": .array(of: "t", [.uint64(1), .uint64(1)])], "players"),
      (["players": .array(of: "t", (0..<5).map { .uint64($0) })], "players"),
      (["players": .array(of: "t", [.uint64(1)]), "leader": .uint64(2)], "leader"),
      (["condition": .properties(["kind": .string("sad")])], "condition.kind"),
      (["condition": .properties(["kind": .string("failed")])], "condition.sentence"),
      (
        ["commands": list(["command": .string("changePlaybackRate")])],
        "commands.changePlaybackRate"
      ),
      (
        ["commands": list(["command": .string("stars"), "maximum": .double(1e300)])],
        "commands.stars"
      ),
      (
        [
          "commands": list([
            "command": .string("skipForward"), "intervals": .array(of: "x", [.int64(-1)]),
          ])
        ], "commands.skipForward"
      ),
      (["upNext": list(["title": .string("a")])], "upNext[0].id"),
    ] { #expect(field(entries) == name) }
    #expect(throws: WireError("commands.play", "the command is offered twice")) {
      let play = BusValue.properties(["command": .string("play")])
      _ = try publication(["commands": .array(of: "a{sv}", [play, play])])
    }
  }

  @Test func unknownFieldsAndCommands_areIgnored() throws {
    let command = BusValue.properties(["command": .string("levitate")])
    let publication = try publication([
      "new": .string("x"), "commands": .array(of: "a{sv}", [command]),
    ])
    #expect(publication == SessionPublication())
  }

  @Test func parametersThatAreMissing_haveDefaults() throws {
    let words = ["skipForward", "stars", "like", "play"]
    let offers = try publication([
      "commands": .array(of: "a{sv}", words.map { .properties(["command": .string($0)]) })
    ]).commands
    #expect(
      offers.map(\.parameters) == [
        .intervals([]), .rating(maximum: 5, current: nil), .feedback(isActive: false, title: nil),
        .none,
      ])
  }

  @Test func timestamp_isNeitherInTheFutureNorBeforeTheStartOfTheClock() throws {
    let now = MonotonicInstant(awake: .seconds(100), suspended: .seconds(5))
    func timestamp(_ entries: [(String, BusValue)]) throws -> MonotonicInstant? {
      let playback = BusValue.properties([("state", .string("paused"))] + entries)
      let measured = try publication(["playback": playback]).measured(by: now)
      guard case .snapshot(let snapshot) = measured.playback else { return nil }
      return snapshot?.timestamp
    }
    #expect(try timestamp([]) == now)
    #expect(try timestamp([("awake", .int64(.max)), ("suspended", .int64(.max))]) == now)
    #expect(
      try timestamp([("awake", .int64(.min)), ("suspended", .int64(.min))])
        == MonotonicInstant(awake: .zero))
    #expect(
      try timestamp([("awake", .int64(7)), ("suspended", .uint64(8))])
        == MonotonicInstant(awake: .nanoseconds(7), suspended: .nanoseconds(8)))
  }

  @Test func formatOutsideTheLimits_isRefused() throws {
    func field(_ name: String, _ value: BusValue) -> String? {
      var entries: [(String, BusValue)] = [
        ("kind", .string("track")), ("rate", .uint32(8000)), ("channels", .uint32(2)),
        ("format", .string("s16")),
      ]
      entries.removeAll { $0.0 == name }
      do {
        _ = try SessionCoding.format(.properties(entries + [(name, value)]))
        return nil
      } catch { return error.field }
    }
    for rate: UInt32 in [0, 7999, 192_001, .max] {
      #expect(field("rate", .uint32(rate)) == "format.rate")
    }
    for rate: UInt32 in [8000, 192_000] { #expect(field("rate", .uint32(rate)) == nil) }
    for count: UInt32 in [0, 3] { #expect(field("channels", .uint32(count)) == "format.channels") }
    #expect(field("format", .string("s24")) == "format.format")
    #expect(field("kind", .string("prompt")) == "format.kind")
    #expect(field("rate", .double(44_100)) == "format.rate")
  }

  /// A number of any size does not stop the unit, and is then limited.
  @Test func mark_isLimited() throws {
    func mark(_ entries: KeyValuePairs<String, BusValue>) throws -> SoundMark {
      try SessionCoding.mark(.properties(entries), frame: 0)
    }
    #expect(try mark(["time": .int64(.min)]).time == .zero)
    #expect(try mark(["time": .uint64(UInt64(Int64.max))]).time == .nanoseconds(Int64.max))
    #expect(throws: WireError.self) { try mark(["time": .uint64(.max)]) }
    #expect(throws: WireError.self) { try mark([:]) }
    for rate in [0, -1, 1e9, Double.nan] {
      #expect(throws: WireError.self) { try mark(["time": .int64(0), "rate": .double(rate)]) }
      #expect(throws: WireError.self) {
        try mark(["time": .int64(0), "defaultRate": .double(rate)])
      }
    }
  }

  // MARK: Values of any form

  /// Random values with the names that the codings read, so that most of the code is reached.
  private static let names = [
    "content", "playback", "commands", "upNext", "condition", "template", "buttons", "id", "kind",
    "type", "grossDuration", "artwork", "adTimeRanges", "metadata", "state", "rate", "defaultRate",
    "elapsed", "awake", "suspended", "seekNumber", "players", "stream", "leader", "command",
    "intervals", "rates", "repeatMode", "shuffleMode", "supported", "maximum", "current",
    "isActive", "title", "options", "enabled", "sentence", "image", "isEnabled", "audio", "name",
    "time", "channels", "format", "hold", "decibels", "missing", "language",
  ]
  private static let words = [
    "music", "radio", "playing", "paused", "play", "skipForward", "stars", "changePlaybackRate",
    "changeRepeatMode", "like", "enableLanguageOption", "ready", "failed", "image", "shuffle",
    "utf8", "integer", "audible", "live", "track", "s16", "spoken", "interruption", "",
  ]

  private func value(_ random: inout SeededRandom, depth: Int) -> BusValue {
    switch random.below(depth == 0 ? 9 : 14) {
    case 0: .string(Self.words[random.below(Self.words.count)])
    case 1: .int64([0, -1, .min, .max, 1_000_000_000][random.below(5)])
    case 2: .uint64([0, 1, .max][random.below(3)])
    case 3: .double([0, 1, -1, .nan, .infinity, 1e300, .leastNonzeroMagnitude][random.below(7)])
    case 4: .boolean(random.chance(50))
    case 5: .bytes([1, 2])
    case 6: .strings(["off", "one", "x"])
    case 7: .array(of: "x", [.int64(.max), .int64(.min), .int64(5)])
    case 8: .array(of: "d", [.double(1), .double(random.chance(20) ? .nan : 2)])
    case 9, 10: .properties(entries(&random, depth: depth - 1))
    case 11:
      .array(
        of: "a{sv}",
        (0..<random.below(4)).map { _ in .properties(entries(&random, depth: depth - 1)) })
    case 12:
      .array(
        of: "(svss)",
        (0..<random.below(4)).map { _ in
          .structure((0..<random.below(6)).map { _ in value(&random, depth: depth - 1) })
        })
    default: .variant(value(&random, depth: depth - 1))
    }
  }

  private func entries(_ random: inout SeededRandom, depth: Int) -> [(String, BusValue)] {
    (0..<random.below(8)).map { _ in
      (Self.names[random.below(Self.names.count)], value(&random, depth: depth))
    }
  }

  @Test func valuesOfAnyForm_stopNothing() throws {
    var random = SeededRandom(63)
    var accepted = 0
    let now = MonotonicInstant(awake: .seconds(100))
    for _ in 0..<20_000 {
      let body = BusValue.properties(entries(&random, depth: 3))
      if let publication = try? SessionCoding.publication(body).measured(by: now) {
        accepted += 1
        // What the unit computes from an accepted description must not stop it, either.
        if case .snapshot(let snapshot?) = publication.playback {
          _ = snapshot.position(at: now, duration: publication.content?.duration)
        }
        _ = SessionCoding.value(of: publication)
      }
      var opening = SessionOpening("a")
      try? SessionCoding.read(body, into: &opening)
      _ = try? SessionCoding.format(body)
      _ = try? SessionCoding.mark(body, frame: 0)
      _ = try? SessionCoding.status(body)
      _ = try? SessionCoding.welcome(body)
      _ = try? SessionCoding.screen(body, number: 1)
      _ = try? SessionCoding.instruction("pause", body)
      _ = try? TemplateCoding.published(try WireFields(body, "template"))
    }
    #expect(accepted > 1000)
  }
}
