import Foundation
import Console
import Text
import LibraryModel
import NowPlaying
import TestKit
import Testing
import Reports

private let plain = ReplyStyle(columns: 80)
private let ascii = ReplyStyle(columns: 80, hasUnicode: false)

private func seconds(_ value: Double) -> MonotonicInstant {
  MonotonicInstant(awake: .milliseconds(Int64(value * 1000)))
}

private func json(_ reply: ConsoleReply) -> String {
  var json = JSONWriter()
  reply.write(to: &json)
  #expect(json.isComplete)
  return json.take()
}

/// A state with music.
private func state(
  title: String = "Überwasser", playing: MediaPlaybackSnapshot.PlaybackState = .playing(),
  interruptions: [Interruption.Reason] = []
) -> NowPlayingState {
  NowPlayingState(
    revision: 7, session: "local",
    content: .music(
      MusicContent(
        id: "1", songTitle: title, artistName: "Ann · Bo", albumName: "Records",
        duration: .finite(.seconds(296)))),
    playback: MediaPlaybackSnapshot(
      state: playing, elapsedTime: .seconds(60), timestamp: seconds(100)),
    commands: [
      CommandOffer(.pause), CommandOffer(.next, isEnabled: false),
      CommandOffer(.changeRepeatMode, parameters: .repeatMode(.all, supported: [.off, .all])),
      CommandOffer(
        .changeShuffleMode, parameters: .shuffleMode(.items, supported: [.off, .items])),
    ],
    upNext: [
      UpNextItem(id: "2", title: "Second", artist: "Cy"), UpNextItem(id: "3", title: "Third"),
    ],
    volume: Volume(level: VolumeLevel(thousandths: 425), isMuted: true),
    interruptions: interruptions,
    hold: playing == .interrupted
      ? interruptions.first.map { .interruption($0) } ?? .outputLost : nil)
}

private func queue(title: String = "Second") -> QueueReport {
  var report = QueueReport()
  report.revision = 7
  report.count = 12
  report.absent = 1
  report.position = 8
  report.first = 8
  report.list = "album:1f"
  report.title = title
  report.isShuffled = true
  report.canUndo = true
  report.entries = [QueueReport.Entry(id: 41, title: title), .init(id: 5, title: "Third")]
  report.entries[0].artist = "Cy"
  report.entries[0].album = "Records"
  report.entries[0].duration = .seconds(75)
  report.entries[1].isAbsent = true
  return report
}

private let facts = FactsReport([
  .init(
    "Sound",
    [
      .init("device", "hw:0,0, S32 96 kHz stereo", .good),
      .init("xruns", "3, the last 12 s ago", .bad),
      .init("scheduling", "not real time: no permission (LimitRTPRIO)", .note),
      .init("period", "256 frames"),
    ]),
  .init("Empty", []),
  .init("Machine", [.init("wall clock", "unknown"), .init("up", "0:12:01")]),
])

@Suite struct ReplyTests {
  @Test func lines_nowStatusAndQueue_matchTheGoldenFile() throws {
    let now = seconds(123.5)
    try Golden.check(
      ConsoleReply.now(state(), at: now).lines(plain) + ["--"]
        + ConsoleReply.now(
          state(playing: .interrupted, interruptions: [.call, .other("door")]), at: now
        ).lines(plain) + ["--"]
        + ConsoleReply.now(state(playing: .interrupted), at: now).lines(plain) + ["--"]
        + ConsoleReply.now(
          NowPlayingState(revision: 1, volume: Volume(level: .loudest)), at: now
        ).lines(plain) + ["--"]
        + ConsoleReply.queue(queue()).lines(plain) + ["--"]
        + [json(.queue(queue()))]
        + ConsoleReply.queue(QueueReport()).lines(plain) + ["--"]
        + ConsoleReply.status(state(), at: now, facts).lines(plain) + ["--"]
        + ConsoleReply.status(state(), at: now, facts).lines(ascii) + ["--"]
        + ConsoleCommand.Part.allCases.flatMap { ConsoleReply.part($0, state()).lines(plain) }
        + [json(.status(state(), at: now, facts))], "status.txt")
    #expect(ConsoleReply.status(state(), at: now, facts).outcome == .failure)
    #expect(ConsoleReply.now(state(), at: now).outcome == .success)
  }

  @Test func elapsedTime_isComputedForTheGivenMoment() {
    #expect(
      ConsoleReply.now(state(), at: seconds(110)).lines(plain).contains {
        $0.contains("1:10 of 4:56")
      })
    #expect(
      ConsoleReply.now(state(), at: seconds(9999)).lines(plain).contains {
        $0.contains("4:56 of 4:56")
      })
  }

  @Test func diagnosis_hasFindings_walks_andASummary() throws {
    let report = DiagnosisReport(
      findings: [
        .init("a.note", "subject", .note, "a note", remedy: "a remedy"),
        .init("a.good", "subject", .good, "a good finding"),
        .init(
          "a.bad", "card", .bad, "a bad finding", meaning: "what it means", remedy: "what to do"),
      ],
      paths: [
        .init(symptom: "first symptom", steps: [.init("question", false)]),
        .init(
          symptom: "second symptom", steps: [.init("one", false), .init("two", true)],
          pattern: "2e pattern", remedy: "what to do"),
      ])
    #expect(!report.isWell)
    #expect(ConsoleReply.diagnosis(report).outcome == .failure)
    let well = DiagnosisReport(
      findings: [.init("a.b", "a", .good, "b"), .init("c.d", "c", .note, "d")],
      paths: [.init(symptom: "s", steps: [.init("q", false)])])
    #expect(well.isWell)
    try Golden.check(
      report.lines(plain) + ["--"] + report.lines(ascii) + ["--"] + well.lines(plain)
        + [json(.diagnosis(well))], "diagnose.txt")
  }

  @Test func diagnosis_beginsWithOneSentence() {
    let consequence = DiagnosisReport.Finding("playback.none", "local", .bad, "no snapshot")
    let note = DiagnosisReport.Finding("clock.unknown", "clock", .note, "unknown")
    let cause = DiagnosisReport.Finding(
      "output.absent", "output", .bad, "no card", meaning: "no sound", remedy: "plug it in")
    let walk = DiagnosisReport.Path(
      symptom: "commands dead", steps: [], pattern: "4a refused", remedy: "look at 'trace'")
    func brief(_ findings: [DiagnosisReport.Finding], _ paths: [DiagnosisReport.Path]) -> [String] {
      ConsoleReply.diagnosis(.init(findings: findings, paths: paths), isBrief: true).lines(plain)
    }
    #expect(
      brief([note], []) == [
        "All is well. Is there a complaint? 'help diagnose' shows what to ask."
      ])
    let remark = DiagnosisReport.Finding("volume.low", "volume", .note, "1 %", remedy: "volume 30")
    #expect(brief([remark], []) == ["All is well. volume: 1 % → volume 30"])
    #expect(brief([note, cause], []) == ["✗  output: no card → plug it in"])
    #expect(
      brief([consequence, note, cause], [walk]) == [
        "✗  output: no card → plug it in", "   because of it, local: no snapshot",
        "1 more fault: 'diagnose --details'",
      ])
    #expect(brief([consequence], []) == ["✗  local: no snapshot"])
    #expect(brief([note], [walk]) == ["✗  commands dead: 4a refused → look at 'trace'"])
  }

  /// The names of `top` are those of `service`, and none is cut. A program gets the full names.
  @Test func facts_aboutUnits_haveShortNames() throws {
    let names = [
      "autoharp-library.service", "systemd-udevd.service", "system-autoharp\\x2dconsole.slice",
      "data.service", "media.mount",
    ]
    let report = FactsReport([.init("units", names.map { .init($0, "1 % CPU") })])
    #expect(
      report.lines(plain).dropFirst().map { $0.split(separator: " ").first } == [
        "library", "udevd", "console@", "data", "media.mount",
      ])
    let parsed = try JSONSerialization.jsonObject(with: Data(json(.facts(report)).utf8))
    #expect(Set(((parsed as? [String: [String: Any]])?["units"] ?? [:]).keys) == Set(names))
  }

  @Test func service_hasItsStateAndItsLines() throws {
    let reply = ConsoleReply.service(
      .init(name: "autoharp-x.service", state: "failed: x", grade: .bad), LogReport([.init("one")]))
    #expect(reply.outcome == .failure)
    #expect(reply.lines(plain) == ["✗  x  failed: x", "one", "1 line."])
    let parsed = try JSONSerialization.jsonObject(with: Data(json(reply).utf8)) as? [String: Any]
    #expect(parsed?["name"] as? String == "autoharp-x.service")
    #expect((parsed?["log"] as? [String: Any])?["lines"] as? [String] == ["one"])
  }

  @Test func doubts_haveTheirNumbersAndExamples() throws {
    let doubts = LibraryDoubts([
      .init(.dividedAlbums),
      .init(.songsWithoutTags, count: 2, examples: [.init(name: "CAR/a.mp3")]),
      .init(.sortNames, count: 1, examples: [.init(name: "Björk", detail: "B / Bjork")]),
    ])
    #expect(
      ConsoleReply.doubts(doubts).lines(plain) == [
        "Songs without artist and album: 2", "  CAR/a.mp3", "  ...",
        "Album artists with several names for sorting: 1", "  Björk · B / Bjork",
      ])
    let parsed = try JSONSerialization.jsonObject(with: Data(json(.doubts(doubts)).utf8))
    let expected: [[String: Any]] = [
      ["kind": "dividedAlbums", "count": 0, "examples": [Any]()],
      ["kind": "songsWithoutTags", "count": 2, "examples": [["name": "CAR/a.mp3", "detail": ""]]],
      ["kind": "sortNames", "count": 1, "examples": [["name": "Björk", "detail": "B / Bjork"]]],
    ]
    #expect(parsed as? NSArray == expected as NSArray)
    #expect(ConsoleReply.doubts(doubts).outcome == .success)
    let none = LibraryDoubts(LibraryDoubts.Kind.allCases.map { .init($0) })
    #expect(ConsoleReply.doubts(none).lines(plain) == ["Nothing is doubtful."])
  }

  @Test func latency_isShownAsFiguresAndBars() throws {
    var table = LatencyTable()
    var random = SeededRandom(1)
    for _ in 0..<100 {
      for (stage, middle) in [(LatencyTable.Stage.accepted, 1), (.handedOver, 8), (.heard, 50)] {
        table.add(
          .microseconds(middle * 500 + random.below(middle * 1000)), stage, surface: "phone",
          command: "pause")
      }
    }
    table.add(.seconds(60), .heard, surface: "console", command: "next")
    for style in [plain, ascii] {
      for line in table.lines(style) { #expect(TextWidth.columns(of: line) <= 79, "\(line)") }
    }
    try Golden.check(
      table.lines(plain) + ["--"] + table.lines(ascii) + [json(.latency(table))], "latency.txt")
  }

  @Test func percentile_isAnUpperBound_atMostTheLongest() {
    var histogram = LatencyTable.Histogram()
    #expect(histogram.percentile(50) == nil)
    for milliseconds in 1...100 { histogram.add(.milliseconds(milliseconds)) }
    #expect(histogram.percentile(50) == .milliseconds(50))
    #expect(histogram.percentile(95) == .milliseconds(100))
    #expect(histogram.count == 100)
    histogram.add(.seconds(5))
    #expect(histogram.percentile(100) == .seconds(5))
    var one = LatencyTable.Histogram()
    one.add(.milliseconds(3))
    #expect(one.percentile(50) == .milliseconds(3))
    #expect(one.bars(hasUnicode: false) == "|  %         |")
    // A peer can send any values, and they must not crash the computation.
    let hostile = LatencyTable.Histogram(counts: [.max, .max, -5], longest: .seconds(-1))
    _ = hostile.percentile(50)
    _ = hostile.bars(hasUnicode: true)
  }

  @Test func latencyTable_manySurfaces_isBounded() {
    var table = LatencyTable()
    for index in 0..<1000 {
      table.add(.zero, .heard, surface: "\(index)", command: "play")
    }
    #expect(table.rows.count == LatencyTable.largestCount)
  }

  @Test func trace_ofARealCommand_showsAllSteps() throws {
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let port = center.connect(SurfaceDescription(id: "console"), at: seconds(1)) { _ in }
    port.send(.volume(.set(VolumeLevel(thousandths: 300))), on: .text, at: seconds(2))
    port.send(.media(.play), on: .text, at: seconds(3.25))
    let entries = center.trace.records.map { TraceEntry.command(.init($0)) }
    let others: [TraceEntry] = [
      .publication(revision: 4, reasons: ["pause", "volume"], at: .milliseconds(4005)),
      .sink("an event of the sound", at: .seconds(5)),
      .key("KEY_F13 (183) of Wheel", at: .seconds(5.5)),
      .command(
        .init(
          number: 9, surface: "phone", origin: "Pixel 7", inputPath: "dbus", request: "pause",
          verdict: "accepted by local",
          answer: "success", at: .seconds(6), answeredAfter: .milliseconds(3),
          heardAfter: .milliseconds(41))),
    ]
    try Golden.check(
      (entries + others).map { $0.line(plain) } + [json(.trace(others))], "trace.txt")
    var table = LatencyTable()
    for record in center.trace.records { table.add(record) }
    #expect(table.rows.map(\.command) == ["volume"])
  }

  @Test func foreignText_isSanitized_inEveryReply() {
    let hostile = "\u{1B}]0;x\u{7}\u{202E}a\r\nb" + String(repeating: "z", count: 100_000)
    let replies: [ConsoleReply] = [
      .done(hostile), .text([hostile]),
      .answer(.failed(Refusal(.failed, hostile, remedy: hostile))),
      .refused(Refusal(.failed, hostile, remedy: hostile)),
      .now(state(title: hostile), at: seconds(1)), .queue(queue(title: hostile)),
      .facts(FactsReport([.init(hostile, [.init(hostile, hostile, .bad)])])),
      .diagnosis(
        DiagnosisReport(
          findings: [.init(hostile, hostile, .bad, hostile, meaning: hostile, remedy: hostile)],
          paths: [
            .init(
              symptom: hostile, steps: [.init(hostile, true)], pattern: hostile, remedy: hostile)
          ])),
      .trace([
        .sink(hostile, at: .zero), .key(hostile, at: .zero),
        .publication(revision: 1, reasons: [hostile], at: .zero),
        .command(
          .init(
            number: 1, surface: hostile, origin: hostile, inputPath: hostile, request: hostile,
            at: .zero)),
      ]),
      .latency(
        LatencyTable([.init(surface: hostile, command: hostile, stages: [.heard: .init()])])),
      .doubts(
        LibraryDoubts([
          .init(.sortNames, count: 1, examples: [.init(name: hostile, detail: hostile)])
        ])),
      .unreachable(.dead(reason: hostile)), .unreachable(.restarting(count: 3, reason: hostile)),
      .unreachable(.noPermission(socket: hostile)),
    ]
    for style in [plain, ascii, ReplyStyle(columns: 40)] {
      for reply in replies {
        for line in reply.lines(style) {
          #expect(TextWidth.sanitized(line) == line)
          #expect(line.count <= ReplyStyle.logLimit)
          if !style.hasUnicode { #expect(line.utf8.allSatisfy { $0 < 0x80 }) }
        }
        for scalar in json(reply).unicodeScalars where scalar != "\n" {
          #expect(scalar.properties.generalCategory != .control)
        }
      }
    }
  }

  @Test func status_onANarrowTerminal_fitsItsWidth() {
    for columns in [20, 40, 79, 80] {
      let style = ReplyStyle(columns: columns)
      for line in ConsoleReply.status(state(), at: seconds(1), facts).lines(style) {
        #expect(TextWidth.columns(of: line) < max(columns, 30), "\(columns): \(line)")
      }
    }
  }

  @Test func colours_areUsed_ifTheTerminalHasThem() {
    let colored = ReplyStyle(columns: 80, hasColor: true)
    let no = Refusal(.failed, "no")
    #expect(ConsoleReply.refused(no).lines(colored) == ["\u{1B}[31mno\u{1B}[0m"])
    #expect(ConsoleReply.refused(no).lines(plain) == ["no"])
  }

  @Test func remedy_isShownBelowTheSentence_asInADiagnosis() {
    let refusal = Refusal(.noChime, "no chime", remedy: "configure one")
    #expect(ConsoleReply.refused(refusal).lines(plain) == ["no chime", "→ configure one"])
    #expect(ConsoleReply.refused(refusal).lines(ascii) == ["no chime", "-> configure one"])
    let answer = CommandAnswer.failed(refusal)
    #expect(ConsoleReply.answer(answer).lines(plain) == ["\(answer)", "→ configure one"])
  }

  @Test func refusalAsJSON_hasItsCode_andItsRemedyIfPresent() throws {
    func members(_ reply: ConsoleReply) throws -> [String: JSONValue] {
      guard case .object(let members) = try JSONValue(Array(json(reply).utf8)) else { return [:] }
      return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }
    let refusal = Refusal(.noChime, "no chime", remedy: "configure one")
    let expected: [String: JSONValue] = [
      "ok": .bool(false), "text": .string("no chime"), "code": .string("no-chime"),
      "remedy": .string("configure one"),
    ]
    #expect(try members(.refused(refusal)) == expected)
    #expect(try members(.answer(.failed(refusal)))["code"] == .string("no-chime"))
    let answer = try members(.answer(.noSuchContent()))
    #expect(answer["code"] == .string("no-such-content") && answer["remedy"] == nil)
    #expect(try members(.answer(.success))["code"] == nil)
    #expect(try members(.unreachable(.dead(reason: nil)))["code"] == .string("unreachable"))
    let command = TraceEntry.Command(
      number: 1, surface: "s", inputPath: "text", request: "next", code: .noSuchContent, at: .zero)
    #expect(json(.trace([.command(command)])).contains("\"code\": \"no-such-content\""))
  }

  @Test func lines_everyStateOfTheDaemon_areDistinct() throws {
    let states: [DaemonState] = [
      .connected, .dead(reason: nil), .dead(reason: "killed by signal 11"),
      .hangs(since: .seconds(5)), .restarting(count: 4, reason: "watchdog"),
      .noPermission(socket: "/run/autoharp/control"),
      .socketMissing(socket: "/run/autoharp/control"), .stopped,
    ]
    try Golden.check(
      states.flatMap { ConsoleReply.unreachable($0).lines(plain) }
        + [.connected, states[5]].flatMap { ConsoleEvent.daemon($0).lines(plain) }
        + states.dropFirst().filter { $0 != states[5] }.flatMap { state in
          DaemonPresence.Step.allCases.flatMap { ConsoleEvent.away($0, state).lines(plain) }
        }
        + [json(.unreachable(.hangs(since: .seconds(5))))], "states.txt")
    #expect(Set(states.compactMap(\.finding)).count == 7)
    #expect(ConsoleReply.unreachable(.dead(reason: nil)).outcome == .unreachable)
  }

  @Test func answerOfASource_determinesTheOutcome() {
    #expect(ConsoleReply.answer(.success).lines(plain) == [])
    #expect(ConsoleReply.answer(.success).outcome == .success)
    let answer = CommandAnswer.noSuchContent()
    #expect(ConsoleReply.answer(answer).lines(plain) == ["\(answer)"])
    #expect(ConsoleReply.answer(.nothingPlaying).outcome == .failure)
  }
}
