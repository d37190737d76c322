import Control
import EventLoop
import Foundation
import LibraryModel
import Reports
import TestKit
import Testing

/// An attacker controls the library process while the daemon plays. The sound must continue, and the memory of the
/// daemon must stay bounded. Afterwards, a good library must work again.
@Suite(
  .serialized, .enabled(if: PacedPCM.obstacle == nil, "needs the paced PCM"))
struct HostileLibraryTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()
  private let card: PacedPCM
  private let daemon: ServeProcess
  private let volume: String

  init() throws {
    card = try PacedPCM(.init())
    home = try ServeProcess.Home(["start = play", "output = car", "library = yes"])
    try home.music("a", seconds: 600)
    volume = "folder \(home.folder.path("music"))"
    var environment = try home.plugIn(card)
    // The test acts as the library process.
    environment["AUTOHARP_LIBRARY"] = "service"
    daemon = try ServeProcess(home, environment: environment)
  }

  // MARK: The library

  private func connect() throws -> HostileLibrary {
    var library: HostileLibrary?
    try loop.turn {
      library = library ?? (try? HostileLibrary(loop, path: home.folder.path("library.socket")))
      return library?.calls["SetVolumes"] != nil
    }
    return try #require(library)
  }

  /// Sets the answers of a library that knows the song.
  private func makeGood(_ library: HostileLibrary, revision: Int64) {
    library.answers = [
      "GetTracks": songs([track("a.flac")], count: 1, revision: revision),
      "GetPage": page(), "GetEntries": [.strings([])], "GetNeighbour": [.string("")],
      "FindMoved": [
        .uint32(1), .array(of: "u", []), .strings([]), .array(of: "(uaysssxuu)", []),
      ],
      "GetProblems": [.array(of: "(sayss)", [])],
    ]
    report(library, revision: revision)
  }

  private func report(_ library: HostileLibrary, revision: Int64, problems: UInt32 = 0) {
    library.emit([
      .structure([
        .int64(revision), .int64(revision),
        .array(
          of: "(sssuuuua(su)bx)",
          [
            .structure([
              .string(volume), .string("music"), .string("ready"), .uint32(0), .uint32(0),
              .uint32(1), .uint32(problems), .array(of: "(su)", []), .boolean(false), .int64(1),
            ])
          ]),
        .array(of: "(ssb)", []), .boolean(false),
      ])
    ])
  }

  private func track(_ path: String, text: String = "") -> BusValue {
    .structure([
      .uint32(0), .bytes(Array(path.utf8)), .string(text), .string(text), .string(text),
      .int64(600_000), .uint32(0), .uint32(0),
    ])
  }

  private func songs(
    _ tracks: [BusValue], count: UInt32, revision: Int64, list: String = "all"
  ) -> [BusValue] {
    [
      .structure([
        .string(list), .string(""), .int64(revision), .uint32(count), .uint32(0),
        .strings([volume]), .array(of: "(uaysssxuu)", tracks),
      ])
    ]
  }

  private func page(next: String = "") -> [BusValue] {
    let row = "(sxsssbuxuuubs)"
    return [
      .structure([
        .array(of: row, []), .string(next), .string(""), .uint32(0), .uint32(0),
      ])
    ]
  }

  // MARK: The daemon

  private func memory() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) })
  }

  /// Waits until the card has played one more second. The library continues meanwhile.
  private func plays(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = try card.captured().count
    let end = ContinuousClock.now + Hang.limit
    // 8000 × 4 bytes are more than the buffers can hold, so the daemon must have rendered new frames.
    while try card.captured().count < before + 8000 * 4, ContinuousClock.now < end {
      try loop.step(timeout: .milliseconds(20))
    }
    #expect(
      try card.captured().count >= before + 8000 * 4, "the card plays no further frames",
      sourceLocation: sourceLocation)
    #expect(daemon.isRunning, sourceLocation: sourceLocation)
  }

  /// Starts with a good library, and waits until music plays. Then calls `attack`, and checks the daemon while the
  /// library still attacks. Finally checks the daemon with a good library again.
  private func test(_ attack: (HostileLibrary, ControlClient) throws -> Void) throws {
    var library = try connect()
    makeGood(library, revision: 1)
    let client = try client()
    try loop.turn { (try? card.captured().count) ?? 0 > 8000 * 4 }
    // Before the measurement, the daemon allocates the memory that it always needs.
    try plays()
    let before = try memory()
    try attack(library, client)
    try plays()
    #expect(try memory() - before < 32 << 10, "KiB")
    // The daemon can still end the connection because of the last wrong answers, even after the first good answers.
    // Then the good library connects again.
    var isGood = false
    try loop.turn {
      if library.isEnded {
        guard let new = try? connect() else { return false }
        (library, isGood) = (new, false)
      }
      if !isGood { makeGood(library, revision: 1000) }
      isGood = true
      return (try? answer { client.libraryState($0) }.get())?.revision ?? 0 >= 1000
    }
    try loop.turn {
      (try? answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }.get().batch) != nil
    }
    try plays()
    #expect(daemon.end() == 0)
  }

  // MARK: Attacks

  @Test func wrongAnswers_endTheConnection_andAreLogged() throws {
    try test { library, client in
      library.answers["GetPage"] = page(next: "f.1")
      for _ in 0..<5 {
        let refused = try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }
        #expect(throws: ControlError.self) { try refused.get() }
      }
      try loop.turn { library.isEnded }
      #expect(daemon.waits(for: .libraryWrong, "GetPage: a cursor leads to the same page") != nil)
      #expect(daemon.waits(for: .libraryWrong, "disconnected") != nil)
    }
  }

  @Test func extremeNumbers_stopNothing() throws {
    try test { library, client in
      for revision in [Int64.max, .min, -1] { report(library, revision: revision) }
      try plays()
      library.answers["GetTracks"] = songs([track("a.flac")], count: .max, revision: .max)
      report(library, revision: 2)
      try plays()
      #expect(daemon.waits(for: .libraryWrong, "Changed: a number is not in") != nil)
    }
  }

  /// The library sends a list of songs that never ends. Each part of the list contains eight songs with texts of the
  /// greatest possible length.
  @Test func endlessList_endsWithinItsBounds() throws {
    try test { library, client in
      let long = String(repeating: "x", count: 1024)
      let name = String(repeating: "y", count: 4000) + ".flac"
      let names = [track("a.flac")] + (0..<8).map { _ in track(name, text: long) }
      library.answers["GetTracks"] = songs(names, count: 10_000, revision: 2)
      report(library, revision: 2)
      try loop.turn { library.calls["GetTracks"] ?? 0 > 100 }
      let play = try answer {
        client.call(Library1.play, PlayRequest(.everything, row: nil, .last), $0)
      }
      _ = play
      var calls = -1
      try loop.turn {
        calls = library.calls["GetTracks"] ?? 0
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end { _ = try? loop.step(timeout: .milliseconds(100)) }
        return calls == library.calls["GetTracks"]
      }
      // The daemon reads at most 8 MB of a list. Each part has 57 KB.
      #expect(calls < 2000)
    }
  }

  @Test func revisionThatNeverFits_isAskedForOnce() throws {
    try test { library, client in
      library.answers["GetTracks"] = songs(
        [track("a.flac")], count: 1, revision: 77, list: "songs")
      _ = try answer { client.call(Library1.play, PlayRequest(.node(.songs), row: nil, .now), $0) }
      for revision in Int64(2)...6 {
        report(library, revision: revision)
        try plays()
      }
      #expect(library.calls["GetTracks"] ?? 0 < 40)
    }
  }

  @Test func endlessProblems_endWithinTheirLimit() throws {
    try test { library, client in
      library.answers["GetProblems"] = [
        .array(
          of: "(sayss)",
          [.structure([.string(volume), .bytes([0x62]), .string("bad"), .string("other")])])
      ]
      report(library, revision: 2, problems: .max)
      try loop.turn { library.calls["GetProblems"] ?? 0 >= 1000 }
      try plays()
      #expect(library.calls["GetProblems"] ?? 0 <= 1001)
    }
  }

  @Test func endlessSignals_endTheConnection() throws {
    try test { library, client in
      var revision: Int64 = 2
      try loop.turn {
        for _ in 0..<20 {
          revision += 1
          report(library, revision: revision)
        }
        return library.isEnded
      }
      #expect(daemon.waits(for: .libraryWrong, "Changed: too many signals") != nil)
    }
  }

  @Test func libraryThatNeverAnswers_isUnavailable() throws {
    try test { library, client in
      library.answers = [:]
      for revision in Int64(2)...5 {
        report(library, revision: revision)
        let refused = try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }
        #expect(throws: ControlError.self) { try refused.get() }
      }
      // Late answers are ignored. Only `GetPage` is answered, because the daemon can still be waiting for the other
      // answers.
      for call in library.open where call.member == "GetPage" { call.reply([]) }
      try plays()
      #expect(!library.isEnded)
    }
  }
}
