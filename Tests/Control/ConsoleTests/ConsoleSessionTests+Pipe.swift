import Console
import Foundation
import NowPlaying
import Reports
import Synchronization
import Text
import TestKit
import Testing

// Tests the console without a terminal: with pipes, and with one command on the command line.
extension ConsoleSessionTests {
  struct Written {
    let outcome: ConsoleOutcome?
    let output: String
    let errors: String
  }

  /// Runs the console with pipes.
  func run(
    _ options: ConsoleOptions, _ backend: ScriptedBackend, input: String = "",
    catching signals: [Int32] = [], meanwhile: (Int32) -> Void = { _ in }
  ) throws -> Written {
    let pipes = [Pipe(), Pipe(), Pipe()]
    try pipes[0].fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipes[0].fileHandleForWriting.close()
    let run = Run(
      options, backend,
      ConsoleStreams(
        input: pipes[0].fileHandleForReading.fileDescriptor,
        output: pipes[1].fileHandleForWriting.fileDescriptor,
        errors: pipes[2].fileHandleForWriting.fileDescriptor), catching: signals)
    meanwhile(pipes[1].fileHandleForReading.fileDescriptor)
    let outcome = run.result()
    let texts = try pipes[1...].map { pipe in
      try pipe.fileHandleForWriting.close()
      return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    return Written(outcome: outcome, output: texts[0], errors: texts[1])
  }

  @Test func pipe_severalLines_runInOrder_andTheHighestStatusIsReturned() throws {
    let backend = ScriptedBackend { command in
      command == .status ? .answer(.nothingPlaying) : .done("did it")
    }
    let well = try run(.init(), backend, input: "now\n\nchime")
    #expect(well.output == "did it\ndid it\n")
    #expect(well.errors == "")
    #expect(well.outcome == .success)
    let unwell = try run(.init(), backend, input: "status\nnow\n")
    #expect(unwell.output == "did it\n")
    #expect(unwell.errors == "autoharp: \(CommandAnswer.nothingPlaying)\n")
    #expect(unwell.outcome == .failure)
    let usage = try run(.init(), backend, input: "status\npaly\nreboot\n")
    let errors = usage.errors.split(separator: "\n")
    #expect(errors.count == 5)
    #expect(errors.first == "autoharp: \(CommandAnswer.nothingPlaying)")
    #expect(errors.dropFirst(2).prefix(2) == ["  paly", "  ^^^^"])
    #expect(errors.last?.contains("reboot") == true && errors.last?.contains("--yes") == true)
    #expect(usage.outcome == .usage)
    #expect(!backend.commands.contains(.reboot))
  }

  @Test func pipe_hugeInput_isProcessedCompletely() throws {
    let backend = ScriptedBackend { _ in .done() }
    let folder = try TemporaryFolder()
    try folder.write("lines", Array(String(repeating: "now\n", count: 50_000).utf8))
    let input = try FileHandle(forReadingFrom: folder.url.appendingPathComponent("lines"))
    let null = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/null"))
    let run = Run(
      .init(), backend,
      ConsoleStreams(
        input: input.fileDescriptor, output: null.fileDescriptor, errors: null.fileDescriptor))
    #expect(run.result() == .success)
    #expect(backend.commands.count == 50_000)
  }

  @Test func oneShot_printsAndReturns() throws {
    let backend = ScriptedBackend { _ in .done("fine") }
    let result = try run(.init(words: ["seek", "+15"]), backend, input: "now\n")
    #expect(result.output == "fine\n")
    #expect(result.outcome == .success)
    #expect(backend.commands == [.request(.media(.skipForward(.seconds(15))))])
    let json = try run(.init(json: true, words: ["chime"]), backend)
    #expect(json.output == "{\"ok\": true,\"text\": \"fine\",\"code\": \"test\"}\n")
    let help = try run(.init(words: ["help", "seek"]), backend)
    #expect(help.output.hasPrefix("Usage: seek [+|-]TIME\n"))
  }

  @Test func oneShot_outcomes_areTheExitStatuses() throws {
    #expect(
      try run(.init(words: ["poweroff"]), ScriptedBackend { _ in .done() }).outcome == .usage)
    #expect(
      try run(.init(words: ["poweroff", "--yes"]), ScriptedBackend { _ in .done() }).outcome
        == .success)
    #expect(try run(.init(words: ["nonsense"]), ScriptedBackend()).outcome == .usage)
    let unreachable = try run(
      .init(words: ["now"]),
      ScriptedBackend { _ in .unreachable(.socketMissing(socket: "/run/x")) })
    #expect(unreachable.outcome == .unreachable)
    #expect(unreachable.output == "")
    let finding = try #require(DaemonState.socketMissing(socket: "/run/x").finding)
    #expect(unreachable.errors.hasPrefix("autoharp: \(finding)"))
    #expect(ConsoleOutcome.unreachable.rawValue == 3)
  }

  @Test func oneShot_traceOn_runsUntilASignal() throws {
    let backend = ScriptedBackend { $0 == .trace(.on) ? .done() : nil }
    let result = try run(.init(words: ["trace", "on"]), backend, catching: [SIGINT]) { output in
      backend.send(event: .trace(.sink("opened", at: .seconds(1))))
      var byte: UInt8 = 0
      // A complete line on the output shows that the event was delivered.
      while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
      kill(getpid(), SIGINT)
    }
    signal(SIGINT, SIG_DFL)
    #expect(result.outcome == .success)
    #expect(backend.cancels == 1)
  }

  @Test func outputWithoutReader_endsTheConsole() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipes = [Pipe(), Pipe()]
    try pipes[1].fileHandleForReading.close()
    try pipes[0].fileHandleForWriting.write(contentsOf: Data("now\nnow\n".utf8))
    let output = pipes[1].fileHandleForWriting.fileDescriptor
    let run = Run(
      .init(), ScriptedBackend { _ in .done("x") },
      ConsoleStreams(
        input: pipes[0].fileHandleForReading.fileDescriptor, output: output, errors: output))
    #expect(run.result() != nil)
  }
}
