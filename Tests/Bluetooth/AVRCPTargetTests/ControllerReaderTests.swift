import BluetoothRadio
import EventLoop
import Foundation
import TestKit
import Testing

@testable import AVRCPTarget

/// The daemon's side of `autoharp-radio`: with the real program, and with shells that misbehave.
@Suite(.timeLimit(.minutes(5))) struct ControllerReaderTests {
  private typealias Answer = Result<RadioReading, RadioFailure>
  private let loop = EventLoop()

  private func ask(
    _ command: [String], adapter: Int = 0, patience: Duration = .seconds(50),
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    let reader = ControllerReader(loop, command: command, patience: patience)
    var answer: Answer?
    let request = reader.read(adapter) { answer = $0 }
    #expect(answer == nil)
    try loop.turn(
      until: { answer != nil }, fileID: sourceLocation.fileID, line: sourceLocation.line)
    request.cancel()
    try collect(reader)
    return try #require(answer)
  }

  /// Waits until all programs are reaped: exit tests of this process would hang with a zombie.
  private func collect(_ reader: ControllerReader) throws {
    try loop.turn { reader.runs.allSatisfy(\.isCollected) }
  }

  /// The script gets the program's arguments as `$0 $1`.
  private func ask(
    shell script: String, patience: Duration = .seconds(50),
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    try ask(["/bin/sh", "-c", script], adapter: 7, patience: patience, sourceLocation)
  }

  private func failure(_ words: String) -> Answer { .failure(RadioFailure(words)) }

  @Test func reading_isTaken() throws {
    let reading = RadioReading(
      details: ControllerDetails(
        manufacturer: "Realtek Semiconductor Corporation", version: "5.1",
        features: [.simplePairing]),
      links: ["AA:BB:CC:DD:EE:FF": LinkReading(signal: -7, quality: 251)])
    #expect(try ask(shell: "printf '\(reading.text)'") == .success(reading))
    #expect(
      try ask(shell: "test \"$0 $1\" = 'controller 7' && echo end") == .success(RadioReading()))
  }

  /// The executable is in the same folder as the tests.
  @Test func realProgram_saysThatAControllerIsNotThere() throws {
    let program = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("autoharp-radio")
    guard case .failure(let failure) = try ask([program.path], adapter: 60000) else {
      Issue.record("there is none of this number")
      return
    }
    #expect(failure.words.hasPrefix("hci_open_dev: "), "\(failure.words)")
  }

  @Test func programThatIsNotThere_isNamed() throws {
    #expect(
      try ask(["/nowhere/autoharp-radio"])
        == failure("/nowhere/autoharp-radio: posix_spawn: No such file or directory"))
  }

  /// The program is searched only in the folder of this process's executable.
  @Test func program_isLookedForBesideThisOne() throws {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: own).deletingLastPathComponent().path
    #expect(ControllerReader(loop).command == ["\(folder)/autoharp-radio"])
  }

  @Test(arguments: [
    (#"printf '\033[31mrubbish\n'"#, "autoharp-radio: line 1 of the reading is malformed"),
    (#"head -c 3000 /dev/urandom; printf '\377\n'"#, "autoharp-radio: the reading is not UTF-8"),
    ("echo 'maker A'; printf 'version 5'", "autoharp-radio: the reading is incomplete"),
    ("true", "autoharp-radio: the reading is incomplete"),
    ("echo end; echo warning >&2", "autoharp-radio: line 2 of the reading is malformed"),
    ("while :; do echo maker; done", "autoharp-radio printed more than 16384 bytes"),
    ("kill -TERM $$", "autoharp-radio was ended by signal 15"),
    ("echo end; kill -KILL $$", "autoharp-radio was ended by signal 9"),
    ("exit 3", "autoharp-radio ended with status 3"),
    ("echo 'autoharp-radio: hci_open_dev: broken' >&2; exit 1", "hci_open_dev: broken"),
    ("echo library is missing >&2; exit 127", "library is missing"),
    (#"printf '\033[31mred\n' >&2; exit 1"#, "autoharp-radio ended with status 1"),
    (#"printf '\377\n' >&2; exit 1"#, "autoharp-radio ended with status 1"),
    ("head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1", "autoharp-radio ended with status 1"),
  ])
  func programThatDoesNotBehave_isAFailureInWords(_ script: String, _ words: String) throws {
    #expect(try ask(shell: script) == failure(words))
  }

  @Test func programThatDoesNotEnd_isGivenUp() throws {
    #expect(
      try ask(shell: "echo end; exec sleep 1000", patience: .milliseconds(250))
        == failure("autoharp-radio did not end within 0.25 seconds"))
  }

  @Test func programsThatDoNotEnd_areNeverMany() throws {
    let reader = ControllerReader(loop, command: ["/bin/sh", "-c", "exec sleep 1000"])
    var answers: [Answer] = []
    var requests = (0..<ControllerReader.mostPrograms).map { adapter in
      reader.read(adapter) { answers.append($0) }
    }
    let last = reader.read(9) { answers.append($0) }
    try loop.turn { !answers.isEmpty }
    #expect(answers == [failure("/bin/sh: earlier ones have not ended")])
    // A cancelled request makes room as soon as its program has ended.
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

  @Test(arguments: [["/bin/sh", "-c", "echo end"], ["/nowhere/autoharp-radio"]])
  func requestThatIsCancelled_orLetGoOf_isNeverAnswered(_ command: [String]) throws {
    let reader = ControllerReader(loop, command: command)
    var answers = 0
    let first = reader.read(0) { _ in answers += 1 }
    first.cancel()
    var second: (any RadioRequest)? = reader.read(0) { _ in answers += 1 }
    #expect(second != nil)
    second = nil
    // An answered request that was started after both.
    _ = try ask(command)
    while try loop.step() {}
    try collect(reader)
    #expect(answers == 0)
  }
}
