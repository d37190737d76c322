import Console
import Foundation
import LibraryModel
import TestKit
import Testing

// Tests the question of the console which entry of the library the user means.
extension ConsoleSessionTests {
  private static func row(_ title: String, _ id: Int64) -> LibraryRow {
    LibraryRow(kind: .album, id: id, title: title)
  }

  /// A backend for which "mon safary" is a misspelt name, and "best" is the name of two albums. It carries out all
  /// other commands.
  private static func backend() -> ScriptedBackend {
    ScriptedBackend { command in
      switch command {
      case .library(.play("mon safary", let mode)):
        .question(EntryQuestion("mon safary", .misspelt, [row("Moon Safari", 7)])) {
          .library(.playEntry(ConsoleCommand.Entry($0), mode))
        }
      case .library(.play("best", let mode)):
        .question(EntryQuestion("best", .ambiguous, [row("Best", 1), row("best", 2)])) {
          .library(.playEntry(ConsoleCommand.Entry($0), mode))
        }
      default: .done("did it")
      }
    }
  }

  private static func plays(_ id: Int64, _ title: String, _ mode: PlayMode = .now) -> ConsoleCommand
  {
    .library(.playEntry(ConsoleCommand.Entry(row(title, id)), mode))
  }

  private static let misspelt = "Did you mean \"Moon Safari\"? [Y/n] ▏"

  @Test func misspeltName_isAsked_andOnlyYesPlaysIt() throws {
    let terminal = try PseudoTerminal()
    let backend = Self.backend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    for answer in ["n\r", "no\r", "now\r", "\u{3}"] {
      terminal.type("play --next mon safary\r")
      #expect(terminal.waits(forEnd: Self.misspelt))
      terminal.type(answer)
      #expect(terminal.waits(forEnd: Self.prompt))
    }
    #expect(!backend.commands.contains { $0 != .library(.play("mon safary", .next)) })
    for answer in ["\r", "y\r", "Yes\r"] {
      terminal.type("play --next mon safary\r")
      #expect(terminal.waits(forEnd: Self.misspelt))
      terminal.type(answer)
      #expect(terminal.waits(forEnd: "did it\n" + Self.prompt))
      #expect(backend.commands.last == Self.plays(7, "Moon Safari", .next))
    }
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(terminal.screen.faults == [])
  }

  @Test func equalNames_areNumbered_andOneIsChosen() throws {
    let terminal = try PseudoTerminal()
    let backend = Self.backend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    for answer in ["\r", "0\r", "3\r", "y\r", "99999999999999999999\r"] {
      terminal.type("play best\r")
      #expect(terminal.waits(forEnd: "   1  Best\n   2  best\nWhich one? [1-2] ▏"))
      terminal.type(answer)
      #expect(terminal.waits(forEnd: Self.prompt))
    }
    #expect(!backend.commands.contains { $0 != .library(.play("best", .now)) })
    terminal.type("play best\r2\r")
    #expect(terminal.waits(forEnd: "did it\n" + Self.prompt))
    #expect(backend.commands.last == Self.plays(2, "best"))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
  }

  @Test(arguments: [
    ("\n", ConsoleOutcome.success, 2), ("n\n", .failure, 1), ("\u{4}", .failure, 1),
  ])
  func oneShot_onATerminal_asks(
    answer: String, outcome: ConsoleOutcome, commands: Int
  ) throws {
    let terminal = try PseudoTerminal()
    let backend = Self.backend()
    let run = start(terminal, backend, options: .init(words: ["play", "mon", "safary"]))
    #expect(terminal.waits(forEnd: Self.misspelt))
    terminal.type(answer)
    #expect(run.result() == outcome)
    #expect(backend.commands.count == commands)
    if commands > 1 { #expect(backend.commands.last == Self.plays(7, "Moon Safari")) }
  }

  @Test func oneShot_onATerminalWithJSON_doesNotAsk() throws {
    let terminal = try PseudoTerminal(columns: 200)
    let backend = Self.backend()
    let run = start(
      terminal, backend, options: .init(json: true, words: ["play", "mon", "safary"]))
    #expect(run.result() == .failure)
    #expect(terminal.waits { $0.screen.contains("\"suggestion\": \"Moon Safari\"") })
    #expect(backend.commands.count == 1)
  }

  @Test func pipe_misspeltName_isAnErrorWithTheSuggestion() throws {
    let backend = Self.backend()
    let words = try run(.init(), backend, input: "play mon safary\ny\n")
    #expect(words.outcome == .usage)
    #expect(words.errors.contains("'mon safary'") && words.errors.contains("'Moon Safari'"))
    #expect(words.output == "")
    #expect(backend.commands == [.library(.play("mon safary", .now))])
    let oneShot = try run(.init(words: ["play", "mon safary"]), backend, input: "y\n")
    #expect(oneShot.outcome == .failure)
    let json = try run(.init(json: true, words: ["play", "mon safary"]), backend)
    let fields = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(fields["ok"] as? Bool == false)
    #expect(fields["code"] as? String == "no-such-content")
    #expect(fields["suggestion"] as? String == "Moon Safari")
    #expect(json.outcome == .failure)
    #expect(backend.commands.count == 3)
  }

  @Test func pipe_equalNames_areAnErrorWithTheChoices() throws {
    let json = try run(.init(json: true, words: ["play", "best"]), Self.backend())
    let fields = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(fields["code"] as? String == "ambiguous-item")
    let choices = (fields["choices"] as? [String: Any])?["rows"] as? [[String: Any]]
    #expect(choices?.map { $0["id"] as? String } == ["album:1", "album:2"])
    #expect(json.outcome == .failure)
  }
}
