import Console
import ConsoleLink
import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing
import Threads

/// Tests `log` with a program in the place of journalctl.
@Suite struct LogCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["run", "log"] { mkdir(folder.path(name), 0o755) }
  }

  /// An entry in the export format of journald.
  private static func entry(
    _ microseconds: Int, _ message: String, priority: Int = 6, identifier: String = "autoharp",
    unit: String = "autoharp.service", transport: String = "stdout"
  ) -> String {
    """
    __CURSOR=s=1
    __MONOTONIC_TIMESTAMP=\(microseconds)
    PRIORITY=\(priority)
    SYSLOG_IDENTIFIER=\(identifier)
    _SYSTEMD_UNIT=\(unit)
    _TRANSPORT=\(transport)
    MESSAGE=\(message)


    """
  }

  private func bench(_ entries: [String], isOfImage: Bool = true) throws -> MachineBench {
    try folder.write("journal", Array(entries.joined().utf8))
    return try MachineBench(
      folder,
      journal: "printf '%s\\n' \"$@\" > \(folder.path("arguments")); cat \(folder.path("journal"))",
      isOfImage: isOfImage)
  }

  private var arguments: [String] {
    ((try? String(contentsOfFile: folder.path("arguments"), encoding: .utf8)) ?? "")
      .split(separator: "\n").map(String.init)
  }

  @Test func lines_areShownOldestFirst_withTheirNumbers() throws {
    // journalctl prints the newest entry first.
    let bench = try bench([
      Self.entry(3_500_000, "music.none: x", priority: 4),
      Self.entry(2_000_000, "cannot start", priority: 3, identifier: "bluetoothd", unit: "b"),
      Self.entry(1_000_001, "unit.started: 9", priority: 5),
    ])
    #expect(
      try bench.lines("log 3").dropLast() == [
        "[1.000] unit.started: 9", "[2.000] error: bluetoothd: cannot start",
        "[3.500] warning: music.none: x", "3 lines, 1 error, 1 warning.",
      ])
    #expect(arguments.contains("--lines=3") && arguments.contains("--reverse"))
    #expect(arguments.contains("_TRANSPORT=kernel") && !arguments.contains("PRIORITY=5"))
    let report = try #require(try bench.ask("log").log)
    #expect(report.isComplete && report.count(.error) == 1)
    #expect(arguments.contains("--lines=200"))
  }

  @Test func lastLine_isThePresentTime() throws {
    let bench = try bench([Self.entry(1_000_001, "x")])
    for line in ["log", "log screen", "log --grep x"] {
      let log = try #require(try bench.ask(line).log)
      let now = try #require(log.now)
      let present = MonotonicClock.seconds
      #expect((0..<60).contains(present - Double(now.components.seconds)), "\(line)")
      let last = ConsoleReply.log(log).lines(ReplyStyle(columns: 80)).last
      #expect(last?.wholeMatch(of: /now: \d+\.\d s/) != nil, "\(line): \(last ?? "")")
    }
  }

  /// A program writes its name to standard error, and the journal adds the same name.
  @Test func nameOfAProgram_isShownOnce() throws {
    let bench = try bench([
      Self.entry(1, "screen: no display", identifier: "screen", unit: "autoharp-screen.service"),
      Self.entry(0, "screens: 2", identifier: "screen", unit: "autoharp-screen.service"),
    ])
    #expect(
      try bench.ask("log screen").log?.lines.map(\.text) == [
        "[0.000] screen: screens: 2", "[0.000] screen: no display",
      ])
  }

  @Test func limitOfLines_holds_alsoIfTheProgramPrintsMore() throws {
    let bench = try bench((0..<500).map { Self.entry(1_000_000 - $0, "\($0)") })
    let report = try #require(try bench.ask("log 7").log)
    #expect(report.lines.map { $0.text.suffix(1) } == ["6", "5", "4", "3", "2", "1", "0"])
  }

  @Test(arguments: [
    ("kernel", ["sd 0:0:0:0: [sda] Attached", "Bluetooth: hci0", "usb 1-1: new"]),
    ("bluetooth", ["bluetooth.connected: x", "said by bluetoothd", "Bluetooth: hci0"]),
    (
      "sticks",
      ["sd 0:0:0:0: [sda] Attached", "usb 1-1: new", "damaged", "Failed", "music.none: x"]
    ),
    ("library", ["library.lost: x"]), ("screen", ["screen line"]),
  ])
  func topic_selectsTheLinesOfItsPart(_ topic: String, _ messages: [String]) throws {
    var entries = [
      Self.entry(1, "unit.started: 9"), Self.entry(2, "bluetooth.connected: x"),
      Self.entry(3, "library.lost: x"), Self.entry(4, "music.none: x"),
      Self.entry(5, "said by bluetoothd", identifier: "bluetoothd", unit: "bluetooth.service"),
      Self.entry(6, "screen line", identifier: "x", unit: "autoharp-screen.service"),
      Self.entry(7, "damaged", identifier: "mount-stick", unit: "stick@sda1.service"),
      Self.entry(8, "Failed", identifier: "systemd", unit: "init.scope")
        .replacingOccurrences(of: "MESSAGE", with: "UNIT=stick@sda1.service\nMESSAGE"),
      Self.entry(9, "Started", identifier: "systemd", unit: "init.scope"),
    ]
    let kernel = ["sd 0:0:0:0: [sda] Attached", "Bluetooth: hci0", "usb 1-1: new", "e1000: up"]
    if topic == "kernel" { entries = [] }
    entries += kernel.dropLast(topic == "kernel" ? 1 : 0).map {
      Self.entry(10, $0, identifier: "kernel", unit: "", transport: "kernel")
    }
    let bench = try bench(entries.reversed())
    let report = try #require(try bench.ask("log \(topic)").log)
    #expect(Set(report.lines.map(Self.message)) == Set(messages))
    #expect(report.lines.count == messages.count)
  }

  private static func message(_ line: LogReport.Line) -> String {
    var text = line.text[...]
    for prefix in ["kernel: ", "bluetoothd: ", "x: ", "mount-stick: ", "systemd: "] {
      if let range = text.range(of: "] \(prefix)") { text = "] " + text[range.upperBound...] }
    }
    return text.range(of: "] ").map { String(text[$0.upperBound...]) } ?? String(text)
  }

  @Test func search_ignoresCase_andTakesSeveralWords() throws {
    let bench = try bench([
      Self.entry(3, "output.underrun: late"), Self.entry(2, "OUTPUT.Underrun: Late"),
      Self.entry(1, "late"),
    ])
    for line in ["log --grep underrun: LATE", "log --grep 'underrun: late'"] {
      #expect(try bench.ask(line).log?.lines.count == 2, "\(line)")
    }
    // The number of lines is no argument, because most lines are left out only by the console.
    #expect(!arguments.contains { $0.hasPrefix("--lines") })
    #expect(try bench.ask("log kernel --grep late").log?.lines.count == 3)
    #expect(try bench.lines("log --grep nothing").first == "0 lines.")
  }

  @Test func journalThatFails_isRefusedWithItsReason() throws {
    let failing = try MachineBench(journal: "echo 'No journal files were opened.' >&2; exit 1")
    let reply = try failing.ask("log")
    #expect(reply.code == "no-journal")
    guard case .refused(let refusal) = reply else { return }
    #expect(refusal.sentence.contains("No journal files were opened."))
    let missing = ControlBackend(
      socket: folder.path("none"), version: "", policy: Bench.policy, journal: ["/none"],
      powerRequest: nil, storageFiles: StorageFiles(folder: folder.path("run")))
    var code: String?
    try folder.write("run/state", Array("disk\n".utf8))
    missing.send(.log(.last(200, nil))) { code = $0.code }
    let end = ContinuousClock.now + Hang.limit
    while code == nil, ContinuousClock.now < end {
      _ = missing.prepare()
      missing.turn()
    }
    #expect(code == "no-journal")
  }

  /// What a broken or hostile journal prints.
  @Test(arguments: [
    "MESSAGE\n\u{1}\0\0\0\0\0\0\0a\n\n", "MESSAGE\n", "MESSAGE\n\u{FF}\u{FF}", "=\n\n", "\n\n\n",
    "PRIORITY=99999999999999999999\nMESSAGE=x\n__MONOTONIC_TIMESTAMP=-1\n\n",
    "__MONOTONIC_TIMESTAMP=18446744073709551615\nMESSAGE=x\n\n",
    String(repeating: "MESSAGE=" + String(repeating: "x", count: 60_000) + "\n\n", count: 40),
  ])
  func foreignOutput_neitherCrashesNorHangs(_ output: String) throws {
    let bench = try bench([output])
    let reply = try bench.ask("log 5")
    #expect(reply.log.map { $0.lines.count <= 5 } ?? (reply.code == "no-journal"))
  }

  @Test func binaryField_isReadWithItsLength() throws {
    try folder.write(
      "journal",
      Array("__MONOTONIC_TIMESTAMP=5\nMESSAGE\n".utf8) + [3, 0, 0, 0, 0, 0, 0, 0]
        + Array("a\nb\nPRIORITY=3\n\n".utf8))
    let bench = try MachineBench(folder, journal: "cat \(folder.path("journal"))")
    #expect(try bench.ask("log").log?.lines == [.init("[0.000] error: a b", .error)])
  }

  @Test func hangingJournal_canBeCancelled() throws {
    let bench = try MachineBench(journal: "exec sleep 1000")
    bench.backend.send(.log(.last(5, nil))) { _ in Issue.record("answered") }
    try bench.turn { bench.backend.state != .connected }
    bench.backend.cancel()
    #expect(try bench.ask("version").code == "version")
  }

  @Test func outsideOfTheImage_theMemoryOfTheDaemonIsShown() throws {
    let daemon = try Bench()
    let bench = try MachineBench(socket: daemon.path, isOfImage: false)
    func ask(_ line: String) throws -> LogReport? {
      try bench.ask(line) { while (try? daemon.loop.step()) == true {} }.log
    }
    #expect(try ask("log")?.lines.count == 2)
    #expect(try ask("log 1")?.lines.map(\.severity) == [.warning])
    #expect(try ask("log --grep STARTS")?.lines.map(\.text) == ["[1.500] autoharp starts"])
  }

  // MARK: Logs of earlier runs

  private func keep(_ name: String, _ text: String, at seconds: Int) throws {
    try folder.write("log/\(name)", Array(text.utf8))
    var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
    #expect(utimes(folder.path("log/\(name)"), &times) == 0)
  }

  @Test func previous_listsTheKeptLogs_andShowsTheNewest() throws {
    try keep("autoharp.1", "one\ntwo\n", at: 1_790_000_000)
    try keep("kernel.7", "panic\n", at: 1_790_000_900)
    try keep(".hidden", "no\n", at: 1_790_000_901)
    symlink("/etc/passwd", folder.path("log/link.1"))
    let bench = try MachineBench(folder)
    #expect(
      try bench.lines("log --previous") == [
        ">  1  kernel.7    2026-09-21 14:28   1 KB", "   2  autoharp.1  2026-09-21 14:13   1 KB",
        "kernel.7", "panic", "1 line.",
      ])
    #expect(try bench.ask("log --previous 2").log?.lines.map(\.text) == ["one", "two"])
    #expect(try bench.ask("log --previous 3").code == "no-kept-log")
  }

  @Test func previous_withoutKeptLogs_saysSo() throws {
    let bench = try MachineBench(folder)
    #expect(try bench.ask("log --previous").code == "no-kept-log")
    try keep("x.1", String(repeating: "line\n", count: 50_000), at: 1)
    let report = try #require(try bench.ask("log --previous").log)
    #expect(report.lines.count == 200 && !report.isComplete)
    #expect(report.lines.allSatisfy { $0.text == "line" })
  }
}
