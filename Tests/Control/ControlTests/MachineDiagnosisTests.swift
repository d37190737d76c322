import Console
import ConsoleLink
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests `diagnose` while the daemon does not answer.
@Suite struct MachineDiagnosisTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func block(_ name: String, _ active: String, _ sub: String, _ more: String...)
    -> String
  {
    (["Id=\(name)", "LoadState=loaded", "ActiveState=\(active)", "SubState=\(sub)"] + more)
      .joined(separator: "\n") + "\n\n"
  }

  private static let crashing = block(
    "autoharp.service", "activating", "auto-restart", "Result=core-dump", "ExecMainStatus=11",
    "NRestarts=4")

  private func diagnose(
    _ list: String?, journal: String = "true", line: String = "diagnose",
    isOfImage: Bool = true, prepare: (MachineBench) throws -> Void = { _ in }
  ) throws -> (DiagnosisReport, ConsoleReply) {
    let bench = try MachineBench(folder, journal: journal, isOfImage: isOfImage)
    let helper = try list.map { list in
      try FakeHelper(folder.path("service")) { $0 == "list" ? list : "" }
    }
    try prepare(bench)
    let reply = try bench.ask(line)
    withExtendedLifetime(helper) {}
    guard case .diagnosis(let report, _) = reply else {
      Issue.record("\(reply)")
      return (DiagnosisReport(findings: [], paths: []), reply)
    }
    return (report, reply)
  }

  private func codes(_ report: DiagnosisReport, _ grade: Grade) -> [String] {
    report.findings.filter { $0.grade == grade }.map(\.code)
  }

  @Test func crashedDaemon_isTheFirstFault_withItsEndAndItsLastError() throws {
    let journal = """
      printf 'PRIORITY=3\\nSYSLOG_IDENTIFIER=x\\nMESSAGE=other\\n\\n'
      printf 'PRIORITY=3\\nSYSLOG_IDENTIFIER=autoharp\\nMESSAGE=output.failed: no card\\n\\n'
      """
    let (report, reply) = try diagnose(
      Self.crashing + Self.block("dbus.service", "active", "running"), journal: journal)
    let first = try #require(report.faults.first)
    #expect(first.code == "daemon.socketMissing" && report.faults.count == 1)
    #expect(first.found.contains("SIGSEGV") && first.found.contains("4 times"))
    #expect(first.meaning?.contains("output.failed: no card") == true)
    #expect(reply.outcome == .failure)
    #expect(report.findings.count { $0.code == "log.error" } == 2)
    #expect(codes(report, .good).contains("units.good"))
    let lines = reply.lines(ReplyStyle(columns: 80))
    #expect(lines.first?.contains("SIGSEGV") == true && lines.allSatisfy { $0.count <= 80 })
  }

  @Test func failedStorageService_explainsADaemonThatWasNotStarted() throws {
    let (report, _) = try diagnose(
      Self.block("autoharp.service", "inactive", "dead")
        + Self.block("data.service", "failed", "failed", "Result=exit-code", "ExecMainStatus=1"))
    #expect(report.faults.map(\.code) == ["unit.data.failed", "daemon.socketMissing"])
    #expect(report.summary.contains("service log data"))
  }

  /// A service that has never run has no time of a change.
  @Test(arguments: [("0", "it was not started"), ("5000000", "it was stopped")])
  func daemonThatDoesNotRun_wasStopped_ifItHasRun(_ time: String, _ words: String) throws {
    let (report, _) = try diagnose(
      Self.block(
        "autoharp.service", "inactive", "dead", "StateChangeTimestampMonotonic=\(time)"))
    #expect(report.faults.first?.found == words)
  }

  @Test func failedServices_comeAfterTheDaemon() throws {
    let (report, _) = try diagnose(
      Self.block("bluetooth.service", "failed", "failed", "Result=signal", "ExecMainStatus=9")
        + Self.block("gone.service", "inactive", "dead") + Self.crashing)
    #expect(report.faults.map(\.code) == ["daemon.socketMissing", "unit.bluetooth.failed"])
    #expect(!codes(report, .good).contains("units.good"))
  }

  @Test func maskedDaemon_isNamed() throws {
    let (report, _) = try diagnose(
      "Id=autoharp.service\nLoadState=masked\nActiveState=inactive\nSubState=dead\n\n")
    #expect(report.faults.first?.remedy?.contains("systemd.mask=autoharp.service") == true)
  }

  @Test func storageSticksAndCards_areChecked() throws {
    let (report, _) = try diagnose(Self.crashing) { bench in
      try bench.write(
        "run/notice", "data.memory.failed The storage cannot be mounted.\nnonsense\n")
      try bench.write("cards", " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n  more\n")
      try bench.write("mountinfo", "")
      // A stick that is not mounted, one with a report, the medium of the unit, and an empty reader.
      for (disk, removable, size) in [
        ("sda", "1", "2048"), ("sdb", "1", "2048"), ("sdc", "0", "9"), ("sdd", "1", "0"),
        ("loop0", "1", "8"),
      ] {
        mkdir(bench.folder.path("disks/\(disk)"), 0o755)
        try bench.write("disks/\(disk)/removable", "\(removable)\n")
        try bench.write("disks/\(disk)/size", "\(size)\n")
      }
      try bench.write(
        "sticks/sdb1", "about hfsplus\nstick.unsupported The stick has a file system of Apple.\n")
    }
    let bad = codes(report, .bad)
    #expect(
      bad == [
        "daemon.socketMissing", "data.memory.failed", "stick.not-mounted", "stick.unsupported",
      ])
    #expect(report.findings.first { $0.code == "stick.not-mounted" }?.found.contains("sda") == true)
    #expect(report.findings.first { $0.code == "card.found" }?.found == "PCH")
  }

  @Test func missingCard_isANote() throws {
    let (report, _) = try diagnose(Self.crashing)
    #expect(codes(report, .note).contains("card.none"))
    #expect(codes(report, .good).contains("storage.good"))
  }

  @Test func silentServiceManager_isAFault_andNoImageIsANote() throws {
    for answer in ["", "failed timeout systemd does not answer.\n"] {
      #expect(try codes(diagnose(answer).0, .bad).contains("units.silent"))
      unlink(folder.path("service"))
    }
    let (report, _) = try diagnose(nil, isOfImage: false)
    #expect(codes(report, .note).contains("units.none"))
    #expect(report.faults.map(\.code) == ["daemon.socketMissing"])
  }

  @Test(arguments: ["diagnose --details", "diagnose phone", "diagnose artwork"])
  func eachDiagnosis_worksWithoutTheDaemon(_ line: String) throws {
    #expect(try diagnose(Self.crashing, line: line).0.faults.first?.code == "daemon.socketMissing")
  }

  /// A daemon that accepts the connection and then sends nothing.
  @Test func hangingDaemon_isDiagnosedToo() throws {
    let listener = try #require(UnixSocket.bound(to: folder.path("control")))
    #expect(listen(listener, 4) == 0)
    defer { close(listener) }
    let bench = try MachineBench(folder, socket: folder.path("control"))
    guard case .diagnosis(let report, _) = try bench.ask("diagnose") else {
      Issue.record("no diagnosis")
      return
    }
    #expect(report.faults.first?.code == "daemon.hangs")
  }
}
