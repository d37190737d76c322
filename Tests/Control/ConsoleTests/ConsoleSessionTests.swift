import Console
import Foundation
import NowPlaying
import Reports
import Synchronization
import Text
import TestKit
import Testing

/// Tests the console with real file descriptors. The tests run one after the other, because a signal reaches the whole
/// process.
@Suite(.serialized) struct ConsoleSessionTests {
  /// A console on its own thread.
  final class Run: Sendable {
    private let outcome = Mutex<ConsoleOutcome?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    init(
      _ options: ConsoleOptions, _ backend: ScriptedBackend, _ streams: ConsoleStreams,
      canMoveCursor: Bool = true, catching signals: [Int32] = [], answerMilliseconds: Int = 20_000,
      wrongPasswordMilliseconds: Int = 1
    ) {
      let thread = Thread { [self] in
        let session = ConsoleSession(
          options, backend: backend, signals: SignalPipe(catching: signals), streams: streams,
          environment: ConsoleEnvironment(
            canMoveCursor: canMoveCursor, hasColor: false, hasUnicode: true),
          answerMilliseconds: answerMilliseconds,
          wrongPasswordMilliseconds: wrongPasswordMilliseconds)
        let result = session.run()
        outcome.withLock { $0 = result }
        isOver.signal()
      }
      thread.start()
    }

    /// The outcome; nil if the console does not end in time.
    func result() -> ConsoleOutcome? {
      isOver.wait(timeout: .now() + 20) == .success ? outcome.withLock { $0 } : nil
    }
  }

  func start(
    _ terminal: PseudoTerminal, _ backend: ScriptedBackend, options: ConsoleOptions = .init(),
    canMoveCursor: Bool = true, catching signals: [Int32] = [], answerMilliseconds: Int = 20_000,
    wrongPasswordMilliseconds: Int = 1
  ) -> Run {
    Run(
      options, backend,
      ConsoleStreams(
        input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor),
      canMoveCursor: canMoveCursor, catching: signals, answerMilliseconds: answerMilliseconds,
      wrongPasswordMilliseconds: wrongPasswordMilliseconds)
  }

  static let prompt = "autoharp> ▏"

  /// The lines that the console prints about a daemon that does not answer.
  private static func lines(_ state: DaemonState) -> String {
    [state.finding, state.remedy].compactMap { $0 }.joined(separator: "\n")
  }

  private static func message(_ line: String) -> String {
    do throws(GrammarError) {
      _ = try Grammar.autoharp.parse(line)
      return ""
    } catch {
      return error.message
    }
  }

  static func question(_ command: ConsoleCommand) -> String {
    (command.confirmation?.question ?? "") + "▏"
  }

  // MARK: On a terminal

  @Test func command_isSent_andItsReplyIsShown() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.flags
    let backend = ScriptedBackend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    #expect(terminal.flags != before)
    terminal.type("vol 40\r")
    #expect(terminal.waits(forEnd: "autoharp> vol 40\n▏"))
    backend.reply(.done("louder"))
    #expect(terminal.waits(forEnd: "louder\n" + Self.prompt))
    #expect(
      backend.commands == [.request(.volume(.set(VolumeLevel(thousandths: 400))))])
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(terminal.flags == before)
    #expect(terminal.screen.faults == [])
  }

  @Test func event_whileALineIsTyped_isShownAboveIt() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("pau")
    #expect(terminal.waits(forEnd: "autoharp> pau▏"))
    backend.send(event: .notice("a stick was plugged in"))
    #expect(terminal.waits(forEnd: "a stick was plugged in\nautoharp> pau▏"))
    backend.send(event: .away(.restarting, .restarting(count: 3, reason: "watchdog")))
    let finding = try #require(DaemonState.restarting(count: 3, reason: "watchdog").finding)
    #expect(terminal.waits { $0.screen.contains(finding) })
    terminal.type("se\r")
    #expect(terminal.waits(forEnd: "autoharp> pause\n▏"))
    backend.reply(.answer(.success))
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("quit\r")
    #expect(run.result() == .success)
  }

  @Test func pastedLines_runOneAfterAnother() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend { .done("did \($0 == .status ? "status" : "now")") }
    let run = start(terminal, backend)
    terminal.type("status\nnow\nstatus\nexit\n")
    #expect(run.result() == .success)
    #expect(backend.commands == [.status, .now, .status])
    #expect(terminal.waits { $0.screen.hasSuffix("autoharp> exit") })
    #expect(
      terminal.screen.screen.hasSuffix(
        """
        autoharp> status
        did status
        autoharp> now
        did now
        autoharp> status
        did status
        autoharp> exit
        """))
  }

  @Test func invalidLine_isMarkedBelowTheError() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("repeat al x\r")
    #expect(
      terminal.waits(
        forEnd: """
          autoharp> repeat al x
                              ^
          \(Self.message("repeat al x"))
          \(Self.prompt)
          """))
    #expect(backend.commands == [])
    terminal.hangUp()
    #expect(run.result() == .success)
  }

  @Test func controlC_cancelsTheCommand_orClearsTheLine() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend()
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("log -f\r")
    #expect(terminal.waits(forEnd: "log -f\n▏"))
    backend.send(event: .log("one"))
    #expect(terminal.waits(forEnd: "one\n▏"))
    terminal.type("\u{3}")
    #expect(terminal.waits(forEnd: Self.prompt))
    #expect(backend.cancels == 1)
    terminal.type("abc\u{3}")
    #expect(terminal.waits(forEnd: "autoharp> abc^C\n" + Self.prompt))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(backend.commands == [.log(.follow)])
  }

  @Test func controlC_withItsOption_endsThePromptAfterItHasCancelledTheCommand() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend()
    let run = start(terminal, backend, options: ConsoleOptions(endsOnInterrupt: true))
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("log -f\r")
    #expect(terminal.waits(forEnd: "log -f\n▏"))
    terminal.type("\u{3}")
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("\u{3}")
    #expect(run.result() == .success)
    #expect(backend.cancels == 1)
  }

  @Test func hangUp_endsTheConsole_alsoWhileACommandRuns() throws {
    for line in ["", "status\r"] {
      let terminal = try PseudoTerminal()
      let backend = ScriptedBackend()
      let run = start(terminal, backend)
      #expect(terminal.waits(forEnd: Self.prompt))
      terminal.type(line)
      if !line.isEmpty { #expect(terminal.waits(forEnd: "status\n▏")) }
      terminal.hangUp()
      #expect(run.result() == .success)
    }
  }

  @Test func signal_restoresTheTerminal() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.flags
    let run = start(terminal, ScriptedBackend(), catching: [SIGTERM])
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("half a li")
    #expect(terminal.waits(forEnd: "half a li▏"))
    kill(getpid(), SIGTERM)
    #expect(run.result() == .success)
    signal(SIGTERM, SIG_DFL)
    #expect(terminal.flags == before)
    #expect(terminal.waits(forEnd: "half a li\n▏"))
  }

  @Test func daemonWithoutAnswer_isReportedAsHanging_andItsLateAnswerIsIgnored() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend { $0 == .now ? .done("now") : nil }
    let run = start(terminal, backend, answerMilliseconds: 30)
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("status\r")
    #expect(
      terminal.waits {
        $0.screenWithCursor.contains(Self.lines(.hangs(since: .milliseconds(30))))
          && $0.screenWithCursor.hasSuffix(Self.prompt)
      })
    backend.reply(.done("late"))
    terminal.type("now\r")
    #expect(terminal.waits(forEnd: "now\n" + Self.prompt))
    #expect(!terminal.seen.contains("late"))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
  }

  /// An absent daemon can return at any time, so the console does not report it at once. A missing permission does not
  /// change by itself, so the console reports it at once.
  @Test func awayAtTheStart_showsOnlyThePrompt_butAMissingPermissionAtOnce() throws {
    let welcome = "autoharp: 'help' lists the commands, Tab completes.\n"
    let refused = DaemonState.noPermission(socket: "/run/x")
    for (state, lines) in [
      (DaemonState.dead(reason: "killed by signal 9"), ""), (refused, Self.lines(refused) + "\n"),
    ] {
      let terminal = try PseudoTerminal(columns: 100)
      let run = start(terminal, ScriptedBackend(state: state))
      #expect(terminal.waits(forEnd: welcome + lines + Self.prompt))
      terminal.type("\u{4}")
      #expect(run.result() == .success)
    }
  }

  @Test func poweroff_runsOnlyAfterConfirmation() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend { _ in .done("confirmed") }
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    for answer in ["", "n", "\u{3}"] {
      terminal.type("poweroff\r")
      #expect(terminal.waits(forEnd: Self.question(.poweroff)))
      terminal.type(answer == "\u{3}" ? answer : answer + "\r")
      #expect(terminal.waits(forEnd: Self.prompt))
    }
    #expect(backend.commands == [])
    terminal.type("poweroff\ry\r")
    #expect(terminal.waits(forEnd: "confirmed\n" + Self.prompt))
    terminal.type("reboot --yes\r")
    #expect(terminal.waits(forEnd: "reboot --yes\nconfirmed\n" + Self.prompt))
    #expect(backend.commands == [.poweroff, .reboot])
    // A command that erases data is confirmed only by its own word, such as "erase", and not by "yes".
    for (word, what) in [
      ("format", ConsoleCommand.Storage.format(isForced: false)), ("erase", .erase),
    ] {
      for answer in ["", "y", "yes", word] {
        terminal.type("data \(word)\r")
        #expect(terminal.waits(forEnd: Self.question(.data(what))))
        terminal.type(answer + "\r")
        #expect(terminal.waits(forEnd: Self.prompt))
      }
    }
    #expect(
      backend.commands == [.poweroff, .reboot, .data(.format(isForced: false)), .data(.erase)])
    terminal.type("\u{4}")
    #expect(run.result() == .success)
  }

  @Test func shellThatEnds_returnsToThePrompt() throws {
    let terminal = try PseudoTerminal()
    let run = start(terminal, ScriptedBackend { _ in .shell(path: "/bin/true") })
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("shell\r")
    #expect(terminal.waits(forEnd: "shell\n" + Self.prompt))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
  }

  @Test func serialLineOfUnknownWidth_isQueriedForItsWidth() throws {
    let terminal = try PseudoTerminal(columns: 40, reportsSize: false)
    let run = start(terminal, ScriptedBackend())
    #expect(terminal.waits(forEnd: Self.prompt))
    terminal.type("interrupt begin a-name-that-is-longer-than-the-row" + Keys.home)
    #expect(
      terminal.waits { $0.screenWithCursor.contains("autoharp> ▏interrupt begin a-name-that->") })
    terminal.type("\u{3}\u{4}")
    #expect(run.result() == .success)
  }

  @Test func dumbTerminal_showsPlainLines() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.flags
    let run = start(
      terminal, ScriptedBackend { _ in .done("there") }, canMoveCursor: false)
    #expect(terminal.waits(forEnd: Self.prompt))
    #expect(terminal.flags == before)
    terminal.type("now\n")
    #expect(terminal.waits(forEnd: "autoharp> now\nthere\n" + Self.prompt))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
    #expect(!terminal.seen.contains("\u{1B}"))
  }

  @Test func slowTerminal_omitsEvents() throws {
    let terminal = try PseudoTerminal()
    let backend = ScriptedBackend { _ in .done("still here") }
    let run = start(terminal, backend)
    #expect(terminal.waits(forEnd: Self.prompt))
    // While the test sends these events, it does not read from the terminal. So the small buffer of the terminal
    // becomes full.
    let line = String(repeating: "x", count: 1000)
    for _ in 0..<2000 { backend.send(event: .log(line)) }
    #expect(terminal.waits { $0.screen.contains(ConsoleSession.omissionText) })
    #expect(terminal.seen.utf8.count < 1_500_000)
    terminal.type("now\r")
    #expect(terminal.waits(forEnd: "still here\n" + Self.prompt))
    terminal.type("\u{4}")
    #expect(run.result() == .success)
  }
}
