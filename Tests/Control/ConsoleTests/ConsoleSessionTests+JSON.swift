import Console
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

// Tests lines of the prompt that request their answers as JSON, and questions that depend on the state of the machine.
extension ConsoleSessionTests {
  private static func object(_ text: String) -> NSDictionary? {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? NSDictionary
  }

  @Test func json_ofALine_isOneObjectOnOneLine_beforeOrAfterTheCommand() throws {
    let backend = ScriptedBackend { command in
      switch command {
      case .chime: .refused(Refusal(.noChime, "no chime", remedy: "configure one"))
      case .now: .unreachable(.socketMissing(socket: "/run/x"))
      case .service: .services([ServiceReport(name: "a.service", state: "runs", grade: .good)])
      case .log: .log(LogReport([.init("x", .error)]))
      default: .done("fine")
      }
    }
    let lines = [
      "--json status", "status --json", "chime --json", "--json now", "service --json",
      "log 5 --json", "--json nonsense", "reboot --json", "--json", "status",
    ]
    let written = try run(.init(), backend, input: lines.joined(separator: "\n") + "\n")
    let output = written.output.split(separator: "\n").map(String.init)
    let objects = output.dropLast().map(Self.object)
    try #require(objects.count == 8)
    #expect(
      objects.map { $0?["code"] as? String } == [
        "test", "test", "no-chime", "unreachable", nil, nil, "wrong-line", "needs-confirmation",
      ])
    #expect(objects[2]?["remedy"] as? String == "configure one")
    #expect((objects[4]?["services"] as? [NSDictionary])?.first?["name"] as? String == "a.service")
    #expect(objects[5]?["lines"] as? [String] == ["x"] && objects[5]?["errors"] as? Int == 1)
    // A line that has only the option is empty, and the next line is answered in words.
    #expect(output.last == "fine")
    #expect(written.errors == "" && written.outcome == .unreachable)
    #expect(!backend.commands.contains(.reboot))
  }

  @Test func json_ofALine_hasNoColourAndNoProgress() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("storage test sda1 --json\r")
    #expect(terminal.waits(forEnd: "--json\n▏"))
    backend.send(event: .notice("reading"))
    backend.reply(.facts(FactsReport([.init("sda1", [.init("speed", "5", .bad)])])))
    #expect(terminal.waits { $0.screen.hasSuffix("}\n" + "autoharp>") })
    let line = terminal.screen.screen.split(separator: "\n").dropFirst(2).dropLast().joined()
    #expect(!terminal.screen.screen.contains("reading"))
    #expect(line.contains("speed") && !line.contains("\u{1B}"))
    terminal.type("quit\r")
    #expect(run.result() == .success)
  }

  @Test func json_asTheLastWordOfACommandLine_isTheOption() throws {
    let backend = ScriptedBackend { _ in .done("fine") }
    let written = try run(.init(words: ["chime", "--json"]), backend)
    #expect(Self.object(written.output)?["code"] as? String == "test")
    #expect(try run(.init(words: ["nonsense", "--json"]), backend).errors == "")
  }

  @Test func offer_isAskedOnATerminal_andOnlyShownInAScript() throws {
    let facts = FactsReport([.init("storage", [.init("/data/log", "5 KB")])])
    let backend = ScriptedBackend { command in
      command == .freeSpace(deletes: false)
        ? .offer(facts, .freeSpace(deletes: true)) : .done("freed")
    }
    let terminal = try PseudoTerminal()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    for (answer, end) in [("", "Cancelled.\n"), ("y", "freed\n")] {
      terminal.type("storage free\r")
      #expect(terminal.waits(forEnd: Self.question(.freeSpace(deletes: true))))
      terminal.type(answer + "\r")
      #expect(terminal.waits(forEnd: end + Self.prompt))
    }
    terminal.type("quit\r")
    #expect(run.result() == .success)
    #expect(backend.commands.filter { $0 == .freeSpace(deletes: true) }.count == 1)
    for line in ["storage free\n", "storage free --json\n"] {
      let written = try self.run(.init(), backend, input: line)
      #expect(written.output.contains("/data/log") && written.outcome == .success)
    }
    #expect(backend.commands.filter { $0 == .freeSpace(deletes: true) }.count == 1)
  }

  @Test func obstacle_isShownBeforeTheQuestion() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend(obstacles: { _ in Refusal(.noImage, "no image") })
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("data format\r")
    #expect(terminal.waits(forEnd: "data format\nno image\n" + Self.prompt))
    #expect(backend.commands == [])
    terminal.type("quit\r")
    #expect(run.result() == .success)
  }
}
