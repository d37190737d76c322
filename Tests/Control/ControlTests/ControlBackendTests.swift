import Console
import ConsoleLink
import Control
import EventLoop
import Glibc
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests the backend through which the console talks to a daemon. The tests wait with `poll`, as the console does.
@Suite struct ControlBackendTests {
  final class Console {
    let bench: Bench
    let backend: ControlBackend
    var events: [ConsoleEvent] = []

    init(
      _ bench: Bench, journal: [String] = ["/none"], powerRequest: PowerRequest? = nil,
      policy: ClientPolicy = Bench.policy
    ) {
      self.bench = bench
      backend = ControlBackend(
        socket: bench.path, version: "autoharp 9", policy: policy, journal: journal,
        powerRequest: powerRequest)
      backend.onEvent = { [unowned self] in events.append($0) }
    }

    /// Waits in the same way as the console, and runs the daemon's loop, until the condition holds.
    func turn(
      until condition: () -> Bool, fileID: String = #fileID, line: Int = #line
    ) throws {
      try bench.loop.turn(
        until: {
          let time = backend.prepare()
          if condition() { return true }
          var entry = pollfd(fd: backend.descriptor, events: Int16(POLLIN), revents: 0)
          if poll(&entry, 1, time < 0 ? 5 : 0) > 0 || time == 0 { backend.turn() }
          while (try? bench.loop.step()) == true {}
          return condition()
        }, fileID: fileID, line: line)
    }

    func ask(
      _ command: ConsoleCommand, fileID: String = #fileID, line: Int = #line
    ) throws -> ConsoleReply {
      var reply: ConsoleReply?
      backend.send(command) { reply = $0 }
      try turn(until: { reply != nil }, fileID: fileID, line: line)
      return try #require(reply)
    }

    func lines(_ command: ConsoleCommand) throws -> [String] {
      try ask(command).lines(ReplyStyle(columns: 80))
    }

    /// The code of the message or of the refusal in the reply.
    func code(_ command: ConsoleCommand) throws -> String? { try ask(command).code }
  }

  @Test func everyCommand_returnsTheAnswerOfTheUnit() throws {
    let bench = try Bench()
    let console = Console(bench)
    // The console is not connected yet when this command is sent. The command is answered too.
    #expect(try console.lines(.now).contains { $0.hasSuffix("Song 1") })
    guard case .status(let state, _, let facts) = try console.ask(.status) else {
      Issue.record("no status")
      return
    }
    #expect(state == bench.center.state && facts == bench.unit.report(.status))
    #expect(try console.lines(.part(.volume)) == ["volume 40 %"])
    #expect(try console.lines(.queue(.show(from: nil))).count == 5)
    // The fake queue returns the entries 100, 101 and 102, whatever position is requested. The console uses the first
    // returned entry, so the number 3 means the entry 100.
    _ = try console.lines(.queue(.remove(3)))
    _ = try console.lines(.queue(.move(3, to: 9)))
    _ = try console.lines(.queue(.clear))
    _ = try console.lines(.queue(.undo))
    #expect(
      bench.source.performed == [
        "remove queue:100 at 7", "move queue:100 before queue:100 at 7", "clear at 7", "undo at 7",
      ])
    #expect(try console.code(.queue(.move(3, to: 91))) == "no-such-item")
    #expect(try console.lines(.request(.media(.next))) == [])
    #expect(bench.center.trace.records.last?.surface == "console")
    let failure = CommandAnswer.failed(Refusal(.failed, "no", remedy: "wait"))
    bench.source.failure = failure
    #expect(try console.lines(.request(.media(.next))) == ["\(failure)", "→ wait"])
    guard case .diagnosis(let report, isBrief: true) = try console.ask(.diagnose(.summary)) else {
      Issue.record("no diagnosis")
      return
    }
    #expect(report.findings.contains { $0.grade == .note })
    guard case .diagnosis(let walk, isBrief: false) = try console.ask(.diagnose(.symptom(.artwork)))
    else {
      Issue.record("no diagnosis")
      return
    }
    #expect(walk.paths.map(\.symptom) == [DecisionTree.Symptom.artwork.rawValue])
    for (command, topic) in [
      (ConsoleCommand.audio, FactsTopic.audio), (.boot, .boot), (.keys, .keys),
      (.storage, .storage),
      (.version, .version), (.config(.show), .config),
    ] {
      guard case .facts(let report) = try console.ask(command) else {
        Issue.record("\(command)")
        continue
      }
      #expect(report == bench.unit.report(topic))
    }
    guard case .latency(let table) = try console.ask(.latency) else {
      Issue.record("no latency")
      return
    }
    #expect(table == bench.unit.latency())
    guard case .trace(let entries) = try console.ask(.trace(.show)) else {
      Issue.record("no trace")
      return
    }
    #expect(entries.count >= 2)
    #expect(
      try console.lines(.log(.last(200, nil))).dropLast()
        == [
          "[1.500] autoharp starts", "[2.000] warning: no card: playing nowhere",
          "2 lines, 1 warning.",
        ])
    #expect(try console.ask(.chime).outcome == .success)
    #expect(try console.ask(.hold(.interruption(.call), .begin(for: nil))).outcome == .success)
    #expect(
      try console.ask(.hold(.interruption(.call), .end(shouldResume: true))).outcome == .success)
    #expect(try console.code(.data(.erase)) == "data-erase")
    #expect(try console.code(.reboot) == "reboot")
    #expect(try console.code(.poweroff) == "poweroff")
    #expect(
      bench.unit.done == [
        "chime", "begin call for 1800.0 outliving", "end call", "erase", "reboot", "poweroff",
      ])
    guard case .shell = try console.ask(.shell) else {
      Issue.record("no shell")
      return
    }
    bench.unit.isShellAllowed = false
    let refused = try console.ask(.shell)
    #expect(refused.outcome == .failure)
    guard case .refused(let refusal) = refused else {
      Issue.record("a shell")
      return
    }
    #expect(
      refusal.code == .shellNotAllowed && refusal.remedy?.contains("console-shell = yes") == true)
    bench.unit.refusal = Refusal(.noChime, "not now", remedy: "configure one")
    #expect(try console.lines(.chime) == ["not now", "→ configure one"])
    #expect(console.events.isEmpty)
  }

  @Test func logFollow_showsNewLines_untilItIsCancelled() throws {
    let bench = try Bench()
    let console = Console(bench)
    var isOver = false
    console.backend.send(.log(.follow)) { _ in isOver = true }
    try console.turn { console.events.count == 2 }
    bench.unit.addLogLine("three")
    try console.turn { console.events.count == 3 }
    guard case .log("[3.000] three")? = console.events.last else {
      Issue.record("\(console.events)")
      return
    }
    console.backend.cancel()
    _ = try console.ask(.audio)
    bench.unit.addLogLine("four")
    _ = try console.ask(.audio)
    #expect(console.events.count == 3)
    #expect(!isOver)
  }

  @Test func logFollow_cancelledAtOnce_showsNothing() throws {
    let bench = try Bench()
    let console = Console(bench)
    _ = try console.ask(.audio)
    console.backend.send(.log(.follow)) { _ in Issue.record("answered") }
    console.backend.cancel()
    _ = try console.ask(.audio)
    bench.unit.addLogLine("three")
    _ = try console.ask(.audio)
    #expect(console.events.isEmpty)
  }

  @Test func trace_isShownWhileItIsOn() throws {
    let bench = try Bench()
    let console = Console(bench)
    #expect(try console.ask(.trace(.on)).outcome == .success)
    _ = try console.ask(.request(.media(.next)))
    try console.turn { !console.events.isEmpty }
    guard case .trace(.publication)? = console.events.first else {
      Issue.record("\(console.events)")
      return
    }
    _ = try console.ask(.trace(.off))
    let count = console.events.count
    _ = try console.ask(.request(.media(.next)))
    #expect(console.events.count == count)
  }

  @Test func missingDaemon_isReported_andItsStartToo() throws {
    let bench = try Bench(isListening: false)
    let console = Console(bench)
    #expect(console.backend.state == .socketMissing(socket: bench.path))
    #expect(try console.ask(.status).outcome == .unreachable)
    #expect(try console.lines(.version) == ["autoharp 9"])
    try bench.restart()
    try console.turn { console.backend.state == .connected }
    #expect(try console.ask(.status).outcome == .success)
  }

  /// `DaemonPresenceTests` tests the steps of an absence and their times. This test checks that the console receives
  /// these steps, and that the console reports nothing about a restart in less than two seconds.
  @Test func daemonThatStaysAway_isReported_andItsReturnToo() throws {
    let bench = try Bench()
    let console = Console(bench)
    try console.turn { console.backend.state == .connected }
    bench.server = nil
    try console.turn { console.backend.state != .connected }
    try bench.restart()
    try console.turn { console.backend.state == .connected }
    #expect(console.events.isEmpty)
    bench.server = nil
    try console.turn { !console.events.isEmpty }
    guard case .away(.starting, _) = console.events[0] else {
      Issue.record("\(console.events)")
      return
    }
    try bench.restart()
    try console.turn { console.events.count > 1 }
    guard case .daemon(.connected) = console.events[1] else {
      Issue.record("\(console.events)")
      return
    }
  }

  @Test func log_ofADeadDaemon_isReadFromTheJournal() throws {
    let bench = try Bench(isListening: false)
    let console = Console(bench, journal: ["printf", "MESSAGE=one\\n\\n"])
    #expect(try console.lines(.log(.last(200, nil))).prefix(2) == ["[0.000] one", "1 line."])
    #expect(try console.lines(.log(.follow)).prefix(2) == ["[0.000] one", "1 line."])
    // If the journal has no lines, the reply says why there is no log.
    let other = Console(bench, journal: ["true"])
    #expect(try other.ask(.log(.last(200, nil))).outcome == .unreachable)
  }

  /// Without a daemon, the console creates a file. The service manager watches for this file and then restarts the
  /// machine.
  @Test func reboot_withoutADaemon_isRequestedFromTheServiceManager() throws {
    let bench = try Bench(isListening: false)
    let console = Console(bench, powerRequest: PowerRequest(folder: bench.folder.path("")))
    #expect(try console.code(.reboot) == "reboot-without-daemon")
    #expect(access(bench.folder.path("reboot"), F_OK) == 0)
    #expect(try console.ask(.poweroff).outcome == .success)
    #expect(access(bench.folder.path("poweroff"), F_OK) == 0)
  }

  @Test func reboot_withoutPermission_isRefusedWithARemedy() throws {
    let bench = try Bench(isListening: false)
    let console = Console(bench)
    let reply = try console.ask(.reboot)
    #expect(reply.outcome == .failure)
    guard case .refused(let refusal) = reply else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == .noService)
    #expect(refusal.remedy?.contains("systemctl reboot") == true)
    let other = Console(bench, powerRequest: PowerRequest(folder: "/nowhere/at/all"))
    guard case .refused(let failure) = try other.ask(.poweroff) else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .powerFailed)
  }

  /// If the daemon does not answer in time, the console requests the restart from the service manager.
  @Test func reboot_ofAHangingDaemon_isRequestedFromTheServiceManager() throws {
    let bench = try Bench()
    var policy = Bench.policy
    policy.answerTimeout = .milliseconds(100)
    let console = Console(
      bench, powerRequest: PowerRequest(folder: bench.folder.path("")), policy: policy)
    _ = try console.ask(.audio)
    var reply: ConsoleReply?
    console.backend.send(.reboot) { reply = $0 }
    // From here on, only the console runs. The loop of the daemon does not run.
    while reply == nil {
      let time = console.backend.prepare()
      var entry = pollfd(fd: console.backend.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, time < 0 ? 1000 : 0) > 0 || time == 0 { console.backend.turn() }
    }
    #expect(reply?.code == "reboot-without-daemon")
    #expect(access(bench.folder.path("reboot"), F_OK) == 0)
    #expect(bench.unit.done.isEmpty)
  }

  @Test func firstConnectionAttempt_reportsNoFailure() throws {
    let bench = try Bench()
    let console = Console(bench)
    #expect(console.backend.state == .connected)
    _ = try console.ask(.audio)
    #expect(console.events.isEmpty)
  }
}
