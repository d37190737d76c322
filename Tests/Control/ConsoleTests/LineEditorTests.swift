import Console
import Text
import TestKit
import Testing

@Suite struct LineEditorTests {
  // MARK: Keys

  @Test(arguments: [
    ("abc", "> abc▏"), ("abc\u{7F}", "> ab▏"), ("abc\u{8}", "> ab▏"),
    ("abc" + Keys.left + "x", "> abx▏c"), ("abc" + Keys.left + Keys.left + Keys.right, "> ab▏c"),
    ("abc" + Keys.home, "> ▏abc"), ("abc\u{1B}[1~", "> ▏abc"), ("abc\u{1B}OH", "> ▏abc"),
    ("abc" + Keys.home + Keys.end + "d", "> abcd▏"), ("abc" + Keys.home + "\u{1B}[4~", "> abc▏"),
    ("abc" + Keys.control("a") + "x", "> x▏abc"),
    ("abc" + Keys.control("a") + Keys.control("e"), "> abc▏"),
    ("abc" + Keys.control("b"), "> ab▏c"),
    ("abc" + Keys.control("a") + Keys.control("f"), "> a▏bc"),
    ("abc" + Keys.left + Keys.delete, "> ab▏"), ("abc" + Keys.left + Keys.control("d"), "> ab▏"),
    ("abc def" + Keys.control("w"), "> abc ▏"), ("abc def  " + Keys.control("w"), "> abc ▏"),
    ("abc def" + Keys.wordLeft + Keys.control("k"), "> abc ▏"),
    ("abc def" + Keys.wordLeft + Keys.control("u"), "> ▏def"),
    ("abc def" + Keys.home + Keys.wordRight, "> abc▏ def"),
    ("\u{1B}OD\u{1B}OCx", "> x▏"), ("a\u{1B}[11~b\u{1B}[[Ac\u{1B}[200~d", "> abcd▏"),
    ("é" + "e\u{301}" + Keys.left + "x", "> éx▏e\u{301}"),
    ("日本" + Keys.left + "語", "> 日語▏本"), ("日本\u{7F}", "> 日▏"),
    ("日本" + Keys.home + Keys.delete, "> ▏本"), ("a👩‍👩‍👧b\u{7F}\u{7F}", "> a▏"),
  ])
  func key_changesTheLine(_ keys: String, _ line: String) {
    var screen = EditedScreen()
    screen.type(keys)
    #expect(screen.line == line)
    #expect(screen.events == [])
    #expect(screen.terminal.faults == [])
    // The same keys, sent one byte at a time, have the same result.
    var slow = EditedScreen()
    for byte in keys.utf8 { slow.type(bytes: [byte]) }
    #expect(slow.line == line)
    #expect(slow.terminal.faults == [])
  }

  @Test(arguments: [
    "\u{7F}", Keys.left, Keys.right, Keys.delete, Keys.up, Keys.down, "\t", "\u{301}",
  ])
  func keyWithoutEffect_ringsTheBell(_ keys: String) {
    var screen = EditedScreen()
    screen.type(keys)
    #expect(screen.terminal.bells == 1)
    #expect(screen.line == "> ▏")
  }

  @Test func invalidBytes_areRefused_andTheNextKeyIsAccepted() {
    var screen = EditedScreen()
    screen.type(bytes: [0xC3, 0x61, 0xFF, 0x62, 0xED, 0xA0, 0x80, 0x63, 0xE6, 0x97, 0x1B, 0x64])
    #expect(screen.line == "> abcd▏")
    screen.type("\u{202E}\u{9B}e")
    #expect(screen.line == "> abcde▏")
  }

  // MARK: Events

  @Test func enter_returnsTheLine_andStopsEditing() {
    var screen = EditedScreen()
    screen.type("play" + Keys.left + "\r")
    #expect(screen.takeEvents() == [.line("play")])
    #expect(screen.terminal.screenWithCursor == "> play\n▏")
    screen.type("abc")
    #expect(screen.terminal.screenWithCursor == "> play\n▏")
    screen.begin()
    #expect(screen.terminal.screenWithCursor == "> play\n> abc▏")
  }

  @Test(arguments: ["a\rb\r", "a\nb\n", "a\r\nb\r\n"])
  func pastedLines_areReturnedOneByOne_afterTheirPrompts(_ paste: String) {
    var screen = EditedScreen()
    screen.type(paste + "c")
    #expect(screen.takeEvents() == [.line("a")])
    screen.editor.printAbove(["reply to a"])
    screen.begin()
    #expect(screen.takeEvents() == [.line("b")])
    screen.begin()
    #expect(screen.terminal.screenWithCursor == "> a\nreply to a\n> b\n> c▏")
  }

  @Test func controlC_clearsTheLine() {
    var screen = EditedScreen()
    screen.type("abc\u{3}")
    #expect(screen.takeEvents() == [.interrupt])
    screen.begin()
    #expect(screen.terminal.screenWithCursor == "> abc^C\n> ▏")
  }

  @Test func controlC_whileACommandRuns_isReportedAtOnce_andDiscardsEarlierInput() {
    var screen = EditedScreen()
    screen.type("a\rb\rc")
    #expect(screen.takeEvents() == [.line("a")])
    screen.type("d\u{3}e")
    #expect(screen.takeEvents() == [.interrupt])
    screen.begin()
    #expect(screen.line == "> e▏")
    screen.type("\u{3}")
    _ = screen.takeEvents()
    // If all keys arrive in one read, the interrupt is reported at once too.
    screen.begin()
    screen.type("x\ry\u{3}")
    #expect(screen.takeEvents() == [.line("x"), .interrupt])
  }

  @Test func controlD_onAnEmptyLine_endsTheInput() {
    var screen = EditedScreen()
    screen.type("a" + Keys.control("a") + Keys.control("d"))
    #expect(screen.takeEvents() == [])
    screen.type(Keys.control("d"))
    #expect(screen.takeEvents() == [.endOfInput])
  }

  @Test func controlZ_keepsTheLine() {
    var screen = EditedScreen()
    screen.type("abc" + Keys.left + Keys.control("z"))
    #expect(screen.takeEvents() == [.suspend])
    screen.begin()
    #expect(screen.terminal.screenWithCursor == "> abc\n> ab▏c")
  }

  // MARK: History

  @Test func upAndDown_recallHistory_andKeepTheDraft() {
    var screen = EditedScreen(history: ["one", "two"])
    screen.type("dra" + Keys.up)
    #expect(screen.line == "> two▏")
    screen.type(Keys.up + Keys.up)
    #expect(screen.line == "> one▏")
    screen.type(Keys.down + Keys.down + "ft")
    #expect(screen.line == "> draft▏")
    screen.type("\r")
    screen.begin()
    screen.type(Keys.control("p"))
    #expect(screen.line == "> draft▏")
    #expect(screen.editor.history.lines == ["one", "two", "draft"])
  }

  @Test func answerToAQuestion_isNotAddedToTheHistory() {
    var screen = EditedScreen(history: ["one"])
    screen.type("\u{3}")
    _ = screen.takeEvents()
    screen.ask("sure? ")
    screen.type(Keys.up + "y\r")
    #expect(screen.takeEvents() == [.line("y")])
    #expect(screen.editor.history.lines == ["one"])
  }

  // MARK: Completion

  private static func complete(_ head: String) -> Completion {
    let words = ["play", "pause", "previous", "status"].filter { $0.hasPrefix(head) }
    return Completion(of: words, written: head)
  }

  @Test func tab_completesTheCommonPart_thenListsCandidates() {
    var screen = EditedScreen(complete: Self.complete)
    screen.type("st\t")
    #expect(screen.line == "> status ▏")
    screen.type(Keys.control("u") + "pl\t")
    #expect(screen.line == "> play ▏")
    screen.type(Keys.control("u") + "p\t")
    #expect(
      screen.terminal.screenWithCursor == "play      pause     previous\n> p▏")
    screen.type("x\t")
    #expect(screen.terminal.bells == 1)
  }

  @Test func listing_fillsDownwards() {
    let completion = Completion(candidates: ["a", "bb", "ccc", "d", "e"])
    #expect(completion.listing(columns: 12) == ["a    d", "bb   e", "ccc"])
    #expect(completion.listing(columns: 3) == ["a", "bb", "ccc", "d", "e"])
    #expect(Completion().listing(columns: 80) == [])
  }

  // MARK: Long lines

  @Test func longLine_scrollsSideways_andLeavesTheLastColumnEmpty() {
    var screen = EditedScreen(columns: 20)
    let text = "abcdefghijklmnopqrstuvwxyz0123456789"
    for character in text {
      screen.type(String(character))
      #expect(screen.line.count <= 20)
    }
    #expect(screen.line == "> <z0123456789▏")
    screen.type(Keys.home)
    #expect(screen.line == "> ▏abcdefghijklmnop>")
    for _ in text { screen.type(Keys.right) }
    screen.type("!")
    #expect(screen.line.hasSuffix("789!▏"))
    screen.type("\r")
    #expect(screen.takeEvents() == [.line(text + "!")])
    #expect(screen.terminal.screen.split(separator: "\n").count == 1)
  }

  @Test func longQuestion_isShownComplete_ifItFits() {
    var screen = EditedScreen(columns: 40)
    screen.type("\u{3}")
    screen.ask("Switch the machine off? [y/N] ")
    screen.type("y")
    #expect(screen.line == "Switch the machine off? [y/N] y▏")
    screen = EditedScreen(columns: 20)
    screen.type("\u{3}")
    screen.ask("Switch the machine off? [y/N] ")
    screen.type("y")
    #expect(screen.line == "Switch the …y▏")
  }

  @Test func lineOfExactWidth_hasNoMarks() {
    var screen = EditedScreen(columns: 20)
    screen.type("12345678901234567" + Keys.home)
    #expect(screen.line == "> ▏12345678901234567")
  }

  @Test func wideCharacters_areDrawnWhole() {
    var screen = EditedScreen(columns: 20)
    for character in "日本語日本語日本語日本語" {
      screen.type(String(character))
      #expect(TextWidth.columns(of: screen.line) <= 20)
    }
    screen.type(Keys.home)
    #expect(screen.line == "> ▏日本語日本語日本>")
  }

  @Test func tooLongLine_isReportedAsTooLong() {
    var screen = EditedScreen()
    screen.type(String(repeating: "x", count: LineBuffer.limit + 1) + "\r")
    #expect(screen.takeEvents() == [.tooLong])
    screen.begin()
    screen.type(String(repeating: "x", count: LineBuffer.limit) + "\r")
    #expect(screen.takeEvents() == [.line(String(repeating: "x", count: LineBuffer.limit))])
  }

  @Test func hugePaste_stopsTheInput_untilTheNextPrompt() {
    var screen = EditedScreen()
    screen.type("a\r" + String(repeating: "x", count: 100_000))
    #expect(screen.takeEvents() == [.line("a")])
    #expect(!screen.editor.acceptsInput)
    screen.begin()
    #expect(screen.editor.acceptsInput)
    #expect(screen.terminal.screen.split(separator: "\n").count == 2)
    screen.type("\r")
    #expect(screen.takeEvents() == [.tooLong])
    // A thousand lines of 64 bytes arrive. Each line causes one event.
    var lines = 0
    screen.begin()
    screen.type(String(repeating: String(repeating: "y", count: 63) + "\n", count: 1000))
    while !screen.takeEvents().isEmpty {
      lines += 1
      screen.begin()
    }
    #expect(lines == 1000)
  }

  // MARK: Output

  @Test(arguments: [
    ("", "a", "a"), ("abc", "\u{7F}", "\u{8}\u{1B}[K"), ("abc", Keys.left, "\u{8}"),
    ("abc", Keys.home, "\u{8}\u{8}\u{8}"), ("abcdefghijkl", Keys.home, "\r\u{1B}[2C"),
    ("ac" + Keys.left, "b", "bc\u{8}"), ("aaa" + Keys.left, "\u{7F}", "\u{1B}[K\u{8}"),
    ("abc" + Keys.home, Keys.end, "\u{1B}[3C"), ("abc", "\u{C}", "\r> abc\u{1B}[K"),
  ])
  func key_writesOnlyTheDifference(_ before: String, _ key: String, _ written: String) {
    var screen = EditedScreen()
    screen.type(before)
    _ = screen.editor.feed(Array(key.utf8))
    #expect(screen.editor.takeOutput() == written)
  }

  @Test func severalKeysInOneRead_areDrawnOnce() {
    var screen = EditedScreen()
    let before = screen.terminal.bytesWritten
    screen.type("abcdef" + Keys.home + "x" + Keys.end)
    #expect(screen.terminal.bytesWritten - before == "xabcdef".utf8.count)
  }

  @Test func printAbove_redrawsTheLineBelow() {
    var screen = EditedScreen()
    screen.type("abc" + Keys.left)
    screen.editor.printAbove(["one", "two"])
    screen.flush()
    #expect(screen.terminal.screenWithCursor == "one\ntwo\n> ab▏c")
    screen.type("\r")
    screen.editor.printAbove(["three"])
    screen.flush()
    #expect(screen.terminal.screenWithCursor == "one\ntwo\n> abc\nthree\n▏")
  }

  @Test func kernelMessage_isOverwritten_byAKeyAfterAPauseOrControlL() {
    var screen = EditedScreen()
    screen.type("abc" + Keys.left)
    screen.terminal.write(fromElsewhere: "[   12.3] usb 1-1: new device")
    screen.type("x", afterPause: true)
    #expect(screen.line == "> abx▏c")
    screen.terminal.write(fromElsewhere: "[   12.4] usb 1-1: gone")
    screen.type("\u{C}")
    #expect(screen.line == "> abx▏c")
    #expect(screen.terminal.faults == [])
  }

  // MARK: Width

  @Test func unknownWidth_isRequestedFromTheTerminal() {
    var screen = EditedScreen(columns: 33, known: false)
    #expect(screen.editor.columns == 33)
    #expect(screen.line == "> ▏")
    screen.type(String(repeating: "x", count: 60))
    #expect(screen.terminal.row == 0)
    #expect(screen.events == [])
  }

  @Test(arguments: [true, false])
  func width_isRequestedOnce_andAgainByControlL(answers: Bool) {
    var screen = EditedScreen(columns: 40, known: false)
    screen.terminal.answersReports = answers
    for _ in 0..<3 {
      screen.type("a\r")
      screen.begin()
    }
    #expect(screen.terminal.questions == 1)
    screen.type("\u{C}")
    #expect(screen.terminal.questions == 2)
    #expect(screen.editor.awaitsAnswer == !answers)
    screen.type("\r")
    #expect(!screen.editor.awaitsAnswer)
    // A late answer of the terminal is used too.
    screen.begin()
    screen.type("\u{1B}[1;50R")
    #expect(screen.editor.columns == 50)
  }

  @Test func terminalWithoutAnswer_has80Columns() {
    var screen = EditedScreen(columns: 80, known: false)
    screen.terminal.answersReports = false
    screen.type("\u{C}abc")
    #expect(screen.editor.columns == 80)
    #expect(screen.line == "> abc▏")
  }

  @Test(arguments: [
    "\u{1B}[1;1R", "\u{1B}[1;99999R", "\u{1B}[;R", "\u{1B}[99999999999999999999;2R",
  ])
  func invalidCursorReport_isIgnored(_ answer: String) {
    var editor = LineEditor(mode: .drawn(columns: nil))
    _ = editor.begin(prompt: "> ")
    #expect(editor.feed(Array((answer + "a").utf8)) == [])
    #expect(editor.columns == 80)
  }

  @Test func resize_redrawsTheLine() {
    var screen = EditedScreen(columns: 40)
    screen.type("abcdefghijklmnopqrstuvwxyz")
    screen.editor.resize(columns: 20)
    screen.flush()
    #expect(screen.line.count <= 21)
    #expect(screen.line.hasSuffix("xyz▏"))
  }

  // MARK: Plain lines

  private func plain(_ input: String, showsPrompt: Bool = false) -> (
    [LineEditor.Event], String
  ) {
    var editor = LineEditor(mode: .plain(showsPrompt: showsPrompt))
    var output = ""
    var events: [LineEditor.Event] = []
    var new = editor.begin(prompt: "> ") + editor.feed(Array(input.utf8)) + editor.endInput()
    while !new.isEmpty {
      output += editor.takeOutput()
      events += new
      new = editor.begin(prompt: "> ")
    }
    output += editor.takeOutput()
    return (events, output)
  }

  @Test func plainInput_fromAPipe_hasNoPromptAndNoEcho() {
    let (events, output) = plain("play\r\n\n \u{3}\nnow")
    #expect(events == [.line("play"), .line(""), .line(" \u{3}"), .line("now")])
    #expect(output == "")
  }

  @Test func plainInput_fromADumbTerminal_hasAPromptPerLine() {
    let (events, output) = plain("play\nnow\n", showsPrompt: true)
    #expect(events == [.line("play"), .line("now")])
    #expect(output == "> > > ")
  }

  /// A terminal in line mode delivers the two characters of a pasted line end as two lines.
  @Test func plainInput_pastedCarriageReturnAndLineFeed_areOneLineEnd() {
    var editor = LineEditor(mode: .plain(showsPrompt: true))
    var lines: [LineEditor.Event] = []
    for (text, isPasted) in [
      ("now\n", false), ("\n", true), ("play\n", true), ("\n", true), ("\n", true), ("x\n", false),
      ("\n", false),
    ] {
      lines += editor.begin(prompt: "> ") + editor.feed(Array(text.utf8), isPasted: isPasted)
    }
    #expect(
      lines == [.line("now"), .line("play"), .line(""), .line("x"), .line("")])
    // From a pipe, each line end is kept.
    var pipe = LineEditor(mode: .plain(showsPrompt: false))
    var piped = pipe.begin(prompt: "") + pipe.feed(Array("a\n".utf8))
    piped += pipe.begin(prompt: "") + pipe.feed(Array("\n".utf8), isPasted: true)
    #expect(piped == [.line("a"), .line("")])
  }

  @Test func plainInput_tooLongLine_isReportedAsTooLong() {
    let (events, _) = plain(String(repeating: "x", count: 50_000) + "\nnow\n")
    #expect(events == [.tooLong, .line("now")])
  }
}
