import BluetoothController
import EventLoop
import Foundation
import TestKit
import Testing

@testable import AVRCPTarget

/// Tests how the daemon runs `autoharp-controller` and reads its output. One test runs the real program. The other
/// tests run shell scripts instead of the program.
@Suite struct ControllerReaderTests {
  private typealias Answer = Result<ControllerReading, ControllerFailure>
  private let loop = EventLoop()

  private func ask(
    _ command: [String], adapter: Int = 0, timeout: Duration = Hang.limit,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    let reader = ControllerProgram(loop, command: command, timeout: timeout)
    var answer: Answer?
    let request = reader.read(adapter) { answer = $0 }
    #expect(answer == nil)
    try loop.turn(
      until: { answer != nil }, fileID: sourceLocation.fileID, line: sourceLocation.line)
    request.cancel()
    try collect(reader)
    return try #require(answer)
  }

  /// Waits until all programs are reaped. If a zombie remained, the tests of this process that run their code in a
  /// child process (`processExitsWith`) would hang.
  private func collect(_ reader: ControllerProgram) throws {
    try loop.turn { reader.runs.allSatisfy(\.isCollected) }
  }

  /// Runs a shell script in place of the program. The script gets the arguments of the program as `$0` and `$1`.
  private func ask(
    shell script: String, timeout: Duration = Hang.limit,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    try ask(["/bin/sh", "-c", script], adapter: 7, timeout: timeout, sourceLocation)
  }

  @Test func read_validOutput_returnsTheReading() throws {
    let reading = ControllerReading(
      details: ControllerDetails(
        manufacturer: "Realtek Semiconductor Corporation", version: "5.1",
        features: [.simplePairing]),
      links: ["AA:BB:CC:DD:EE:FF": LinkReading(signal: -7, quality: 251)])
    #expect(try ask(shell: "printf '\(reading.text)'") == .success(reading))
    #expect(
      try ask(shell: "test \"$0 $1\" = 'controller 7' && echo end") == .success(ControllerReading())
    )
  }

  /// The executable `autoharp-controller` is in the same folder as the tests.
  @Test func read_missingController_returnsTheErrorOfTheProgram() throws {
    let program = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("autoharp-controller")
    guard case .failure(let failure) = try ask([program.path], adapter: 60000) else {
      Issue.record("a controller with this number exists")
      return
    }
    guard case .reported(let reason) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(reason.hasPrefix("hci_open_dev: "), "\(reason)")
  }

  @Test func read_missingProgram_reportsItsPath() throws {
    #expect(
      try ask(["/nowhere/autoharp-controller"])
        == .failure(
          .notStarted(
            path: "/nowhere/autoharp-controller", reason: "posix_spawn: No such file or directory"))
    )
  }

  /// By default, the program is the file `autoharp-controller` in the folder of this process's executable.
  @Test func defaultProgram_isInTheFolderOfTheExecutable() throws {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: own).deletingLastPathComponent().path
    #expect(ControllerProgram(loop).command == ["\(folder)/autoharp-controller"])
  }

  @Test(arguments: [
    (#"printf '\033[31mrubbish\n'"#, ControllerFailure.malformed(.line(1))),
    (#"head -c 3000 /dev/urandom; printf '\377\n'"#, .malformed(.notText)),
    ("echo 'maker A'; printf 'version 5'", .malformed(.incomplete)),
    ("true", .malformed(.incomplete)), ("echo end; echo warning >&2", .malformed(.line(2))),
    ("while :; do echo maker; done", .tooMuchOutput(limit: 16384)),
    ("while :; do printf maker; done", .tooMuchOutput(limit: 16384)),
    (
      "echo 'link AA:BB:CC:DD:EE:FF classic signal 99999999999999999999'; echo end",
      .malformed(.line(1))
    ), ("echo 'features 99999999999999999999'; echo end", .malformed(.line(1))),
    ("kill -TERM $$", .killed(signal: 15)), ("echo end; kill -KILL $$", .killed(signal: 9)),
    ("exit 3", .exited(status: 3)),
    (
      "echo 'autoharp-controller: hci_open_dev: broken' >&2; exit 1",
      .reported("hci_open_dev: broken")
    ),
    ("echo library is missing >&2; exit 127", .reported("library is missing")),
    (#"printf '\033[31mred\n' >&2; exit 1"#, .exited(status: 1)),
    (#"printf '\377\n' >&2; exit 1"#, .exited(status: 1)),
    ("head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1", .exited(status: 1)),
  ])
  func read_programFailure_isReported(_ script: String, _ failure: ControllerFailure) throws {
    #expect(try ask(shell: script) == .failure(failure))
  }

  @Test func read_programThatHangs_timesOut() throws {
    #expect(
      try ask(shell: "echo end; exec sleep 1000", timeout: .milliseconds(250))
        == .failure(.timedOut(limit: .milliseconds(250))))
  }

  /// The program has started a second process. After the time limit, both processes must end.
  @Test func read_programThatStartsOthers_endsAllOfThem() throws {
    let folder = try TemporaryFolder()
    let script = "sleep 1000 & echo $! >\(folder.path("pid")); wait"
    #expect(
      try ask(shell: script, timeout: .milliseconds(500))
        == .failure(.timedOut(limit: .milliseconds(500))))
    let pid = try #require(
      pid_t(String(decoding: try folder.read("pid").dropLast(), as: UTF8.self)))
    try loop.turn { hasEnded(pid) }
  }

  /// Returns true also for a zombie: a process whose parent has ended can remain in the process table for a while.
  private func hasEnded(_ pid: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return status.isEmpty || status.contains(") Z ") || status.contains(") X ")
  }

  @Test func read_tooManyRunningPrograms_isRefused() throws {
    let reader = ControllerProgram(loop, command: ["/bin/sh", "-c", "exec sleep 1000"])
    var answers: [Answer] = []
    var requests = (0..<ControllerProgram.programLimit).map { adapter in
      reader.read(adapter) { answers.append($0) }
    }
    let last = reader.read(9) { answers.append($0) }
    try loop.turn { !answers.isEmpty }
    #expect(answers == [.failure(.tooManyPrograms(path: "/bin/sh"))])
    // `programLimit` also counts the program of the cancelled request until this program ends.
    requests.removeLast().cancel()
    try loop.turn {
      answers = []
      _ = reader.read(9) { answers.append($0) }
      while (try? loop.step()) == true {}
      return answers.isEmpty
    }
    requests = []
    try collect(reader)
    withExtendedLifetime(last) {}
  }

  @Test(arguments: [["/bin/sh", "-c", "echo end"], ["/nowhere/autoharp-controller"]])
  func read_cancelledOrReleasedRequest_isNeverAnswered(_ command: [String]) throws {
    let reader = ControllerProgram(loop, command: command)
    var answers = 0
    let first = reader.read(0) { _ in answers += 1 }
    first.cancel()
    var second: (any ControllerQuery)? = reader.read(0) { _ in answers += 1 }
    #expect(second != nil)
    second = nil
    // The first two requests must not be answered. Their answers would arrive before the answer to this third request,
    // so the check below would see them.
    _ = try ask(command)
    while try loop.step() {}
    try collect(reader)
    #expect(answers == 0)
  }
}
