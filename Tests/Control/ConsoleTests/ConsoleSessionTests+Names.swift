import Console
import LibraryModel
import TestKit
import Testing

// Tests completion with names that the library returns.
extension ConsoleSessionTests {
  @Test func names_completeTheWord_andTheLineRuns() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend { _ in
      .done("did it")
    } names: { request in
      request == NameRequest(.music, "moon s") ? NameAnswer(names: ["Moon Safari"]) : NameAnswer()
    }
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    // The Enter key arrives before the names arrive.
    terminal.type("play moon s\t\r")
    #expect(terminal.waits(forEnd: "autoharp> play moon safari\ndid it\n" + Self.prompt))
    #expect(backend.commands == [.library(.play("moon safari", .now))])
    terminal.type("\u{4}")
    #expect(run.result() == .success)
  }

  @Test func namesThatComeLate_areShown_andTheInputIsKept() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend(names: { _ in nil })
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("artists ai\txy")
    backend.send(event: .notice("a stick was plugged in"))
    #expect(terminal.waits(forEnd: "a stick was plugged in\nautoharp> artists ai▏"))
    backend.answer(NameAnswer(names: ["Air", "Aimee Mann", "bad \u{1B}[2J"], isComplete: false))
    #expect(terminal.waits(forEnd: "Air         Aimee Mann  ...\nautoharp> artists aixy▏"))
    // A second answer to the same request is ignored.
    backend.answer(NameAnswer(names: ["Aixyz"]))
    backend.send(event: .notice("a stick was removed"))
    #expect(terminal.waits(forEnd: "a stick was removed\nautoharp> artists aixy▏"))
    terminal.type("\u{3}\u{4}")
    #expect(run.result() == .success)
    #expect(terminal.screen.faults == [])
  }
}
