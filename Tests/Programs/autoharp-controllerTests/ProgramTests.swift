import Foundation
import TestKit
import Testing

@testable import autoharp_controller

/// Tests the command line of `autoharp-controller`, and runs the program as a process.
@Suite struct ProgramTests {
  /// The executable is in the same folder as the tests.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("autoharp-controller")

  private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String)
  {
    let process = ChildProcess()
    process.executableURL = Self.program
    process.arguments = arguments
    // The environment is empty, as it is when the daemon starts the program.
    process.environment = [:]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let texts = [output, errors].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    return (process.terminationStatus, texts[0], texts[1])
  }

  @Test(arguments: [
    (["--help"], Job.help), ([], nil), (["controller", "0"], .controller(0)),
    (["controller", "65534"], .controller(65534)), (["controller"], nil),
    (["controller", "65535"], nil), (["controller", "-1"], nil), (["controller", "hci0"], nil),
    (["controller", "0", "1"], nil), (["presses"], nil), ([""], nil),
  ])
  func arguments_selectTheJob(_ arguments: [String], _ job: Job?) {
    #expect(Job(arguments) == job)
  }

  @Test func controller_missing_isAnErrorInOneLine() throws {
    let (status, output, errors) = try run(["controller", "60000"])
    #expect(status == 1 && output == "")
    #expect(errors.hasPrefix("autoharp-controller: hci_open_dev: "), "\(errors)")
    #expect(errors.hasSuffix("\n") && errors.count { $0 == "\n" } == 1)
  }

  @Test func help_isOnStandardOutput_andAnUnknownWordIsAnError() throws {
    #expect(try run(["--help"]) == (0, Job.usage, ""))
    #expect(try run(["contoller", "0"]) == (2, "", Job.usage))
    #expect(try run([]) == (2, "", Job.usage))
  }

  /// The daemon has a high priority, and its child must not keep this priority. If the test has no right to raise its
  /// own priority, the test begins with the normal priority.
  @Test func dropPriority_resetsThePriorityOfTheDaemon() async {
    await #expect(processExitsWith: .success) {
      setpriority(Int32(PRIO_PROCESS.rawValue), 0, -10)
      var priority = sched_param(sched_priority: 1)
      sched_setscheduler(0, SCHED_FIFO, &priority)
      let score = "/proc/self/oom_score_adj"
      try? "-900".write(toFile: score, atomically: false, encoding: .utf8)
      dropPriority()
      #expect(sched_getscheduler(0) == SCHED_OTHER)
      #expect(getpriority(Int32(PRIO_PROCESS.rawValue), 0) >= 5)
      let text = try String(contentsOfFile: score, encoding: .utf8)
      #expect(try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines))) >= 500)
    }
  }
}
