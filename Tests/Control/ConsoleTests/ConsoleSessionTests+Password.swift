import Console
import Foundation
import Glibc
import Reports
import TestKit
import Testing

// Tests the password of the console.
extension ConsoleSessionTests {
  private static let password = "garage 7 door"
  private static let question = "Password of the console: ▏"

  private static func backend(
    _ reply: @escaping @Sendable (ConsoleCommand) -> ConsoleReply = { _ in .done("did it") }
  ) -> ScriptedBackend {
    ScriptedBackend(replies: reply, password: password)
  }

  @Test(arguments: [
    ("data erase --yes", ConsoleCommand.data(.erase)),
    ("data format --yes", .data(.format(isForced: false))),
    ("bt forget Ann", .bluetooth(.forget("Ann"))),
    ("shell", .shell),
  ])
  func dangerousCommand_needsThePassword_whichIsNotShown(
    _ line: String, _ command: ConsoleCommand
  ) throws {
    let terminal = try PseudoTerminal()
    let backend = Self.backend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type(line + "\r")
    #expect(terminal.waits(forEnd: Self.question))
    terminal.type("garage 8 door\r")
    #expect(terminal.waits(forEnd: Self.prompt))
    #expect(backend.commands == [])
    terminal.type(line + "\r")
    #expect(terminal.waits(forEnd: Self.question))
    terminal.type(Self.password + "\r")
    #expect(terminal.waits(forEnd: "did it\n" + Self.prompt))
    #expect(backend.commands == [command])
    // The password is asked for each command, and it is not in the history.
    terminal.type("\u{1B}[A\r")
    #expect(terminal.waits(forEnd: Self.question))
    terminal.type("\u{3}")
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(backend.commands == [command])
    #expect(!terminal.screen.screen.contains("door"))
  }

  @Test(arguments: ["status", "poweroff --yes", "reboot --yes", "data check"])
  func harmlessCommand_needsNoPassword(_ line: String) throws {
    let terminal = try PseudoTerminal()
    let backend = Self.backend()
    let run = start(terminal, backend)
    terminal.type(line + "\r")
    #expect(terminal.waits(forEnd: "did it\n" + Self.prompt))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(backend.commands.count == 1)
  }

  @Test func wrongPassword_waits_andNoKeyEndsTheWait() throws {
    let terminal = try PseudoTerminal()
    let backend = Self.backend()
    let wait = 700
    let run = start(terminal, backend, wrongPasswordMilliseconds: wait)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("shell\r")
    #expect(terminal.waits(forEnd: Self.question))
    let begin = Date()
    terminal.type("wrong\r")
    #expect(terminal.waits { $0.screen.contains("The password is wrong.") })
    terminal.type("\u{3}\u{3}\u{1A}")
    #expect(terminal.waits(forEnd: Self.prompt))
    #expect(Date().timeIntervalSince(begin) >= Double(wait) / 1000)
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(backend.commands == [])
  }

  @Test func terminalThatEchoes_doesNotShowThePassword() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.flags
    let backend = Self.backend()
    let run = start(terminal, backend, canMoveCursor: false)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("bt forget Ann\n")
    #expect(terminal.waits(forEnd: Self.question))
    #expect(terminal.flags[2] & tcflag_t(ECHO) == 0)
    terminal.type(Self.password + "\n")
    #expect(terminal.waits(forEnd: "did it\n" + Self.prompt))
    #expect(terminal.flags == before)
    #expect(!terminal.screen.screen.contains("door"))
    terminal.type("bt forget Ann\n")
    #expect(terminal.waits(forEnd: Self.question))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(terminal.flags == before)
    #expect(backend.commands == [.bluetooth(.forget("Ann"))])
  }

  @Test func oneShot_onATerminal_asksForThePassword() throws {
    for (answer, outcome, count) in [
      (Self.password, ConsoleOutcome.success, 1), ("wrong password", .failure, 0),
    ] {
      let terminal = try PseudoTerminal()
      let backend = Self.backend()
      let run = start(terminal, backend, options: .init(words: ["bt", "forget", "Ann"]))
      #expect(terminal.waits(forEnd: Self.question))
      terminal.type(answer + "\n")
      #expect(run.result() == outcome)
      #expect(backend.commands.count == count)
    }
  }

  @Test func script_cannotUseADangerousCommand() throws {
    let backend = Self.backend()
    let json = try run(
      .init(json: true, words: ["data", "erase", "--yes"]), backend, input: Self.password + "\n")
    let fields = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(fields["code"] as? String == "needs-password")
    #expect(json.outcome == .failure)
    let pipe = try run(.init(), backend, input: "bt forget Ann\n\(Self.password)\n")
    #expect(pipe.outcome != .success)
    #expect(backend.commands == [])
  }
}
