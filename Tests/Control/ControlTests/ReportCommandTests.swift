import Console
import ConsoleLink
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests `report` with a daemon, and without one.
@Suite struct ReportCommandTests {
  private static let journal = """
    printf 'PRIORITY=4\\nSYSLOG_IDENTIFIER=autoharp\\n_TRANSPORT=stdout\\n'
    printf "MESSAGE=bluetooth.connected: Ann's from AA:BB:CC:DD:EE:FF\\n\\n"
    """

  private func report(
    _ bench: MachineBench, while others: () throws -> Void = {}
  ) throws -> [String: [String]] {
    let reply = try bench.ask("report", while: others)
    guard case .report(let report) = reply else {
      Issue.record("\(reply)")
      return [:]
    }
    return Dictionary(uniqueKeysWithValues: report.parts.map { ($0.title, $0.lines) })
  }

  @Test func parts_areTheRepliesOfTheCommands_withoutNamesOfPhones() throws {
    let daemon = try Bench()
    let folder = try TemporaryFolder()
    mkdir(folder.path("log"), 0o755)
    try folder.write("log/kernel.1", Array("panic at 00:1B:DC:00:00:01\n".utf8))
    let bench = try MachineBench(folder, journal: Self.journal, socket: daemon.path)
    let parts = try report(bench) { while (try? daemon.loop.step()) == true {} }
    for title in ["status", "diagnosis", "boot", "configuration", "bluetooth", "keys", "top"] {
      #expect(parts[title]?.isEmpty == false, "\(title)")
    }
    #expect(parts["log"]?.first == "[0.000] warning: bluetooth.connected: * [phone 1]")
    #expect(parts["kept log kernel.1"] == ["panic at [device 1]"])
    let text = parts.values.joined().joined(separator: "\n")
    #expect(!text.contains("Ann's") && !text.contains("AA:BB:CC:DD:EE"))
  }

  @Test func withoutTheDaemon_theMachineIsReported() throws {
    let bench = try MachineBench(journal: Self.journal)
    let helper = try FakeHelper(bench.folder.path("service")) { _ in
      "Id=dbus.service\nActiveState=active\nSubState=running\n\n"
    }
    let parts = try report(bench)
    #expect(parts["diagnosis"]?.isEmpty == false && parts["services"]?.count == 1)
    #expect(parts["kernel"]?.first?.contains("* [device 1]") == true)
    #expect(parts["status"]?.isEmpty == false, "it says why it is missing")
    withExtendedLifetime(helper) {}
  }

  @Test func cancelledReport_isNotAnswered() throws {
    let bench = try MachineBench(journal: "exec sleep 1000")
    bench.backend.send(.report) { _ in Issue.record("answered") }
    try bench.turn { bench.backend.state != .connected }
    bench.backend.cancel()
    #expect(try bench.ask("version").code == "version")
  }
}
