import Console
import Foundation
import Reports
import TestKit
import Testing

/// The console as a process: its JSON and its exit status, and its messages about a daemon that hangs or crashes.
@Suite(.serialized) struct ConsoleProcessTests {
  private func home() throws -> ServeProcess.Home {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 60)
    return home
  }

  private func start(_ home: ServeProcess.Home) throws -> ServeProcess {
    let daemon = try ServeProcess(
      home,
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.folder.path("no-bus"))"])
    #expect(daemon.waits(for: .musicFound) != nil, "\(daemon.log)")
    return daemon
  }

  /// Runs the first example of each command, as in the help.
  @Test func everyCommand_inJSON_isOneValidLine() throws {
    let home = try home()
    let daemon = try start(home)
    // The excluded commands need a user at a terminal.
    for command in Grammar.autoharp.commands
    where !["reboot", "poweroff", "quit"].contains(command.name) {
      let line = try #require(command.examples.first?.line, "\(command.name) has no example")
      let words = line.split(separator: " ").map(String.init)
      let run = try ConsoleProcess(home.socket, words, options: ["--json"])
      #expect(run.output.hasSuffix("\n"), "\(line): \(run)")
      #expect(run.output.count { $0.isNewline } == 1, "\(line): \(run)")
      #expect(throws: Never.self, "\(line): \(run)") {
        try JSONSerialization.jsonObject(with: Data(run.output.utf8), options: .fragmentsAllowed)
      }
      #expect(run.errors == "", "\(line): \(run)")
    }
    daemon.end()
  }

  @Test func exitStatus_showsTheResultOfTheCommand() throws {
    let home = try home()
    let daemon = try start(home)
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(try ConsoleProcess(home.socket, ["now"]).status == 0)
    let refused = try ConsoleProcess(home.socket, ["rate", "2"])
    #expect(refused.status == 1)
    #expect(refused.output == "")
    #expect(refused.errors.hasPrefix("autoharp: failed: "))
    #expect(!refused.errors.contains("changePlaybackRate"), "a driver does not know this word")
    let code = try ConsoleProcess(home.socket, ["--json", "rate", "2"])
    #expect(code.output.contains("fixed-speed"), "\(code)")
    // The command got an answer, so the refusal is not a fault of the head unit.
    let diagnosis = try ConsoleProcess(home.socket, ["diagnose"])
    #expect(diagnosis.status == 0, "\(diagnosis)")
    let unknown = try ConsoleProcess(home.socket, ["statsu"])
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("statsu"))
    #expect(try ConsoleProcess(home.socket, ["reboot"]).status == 2)
    daemon.end()
    #expect(try ConsoleProcess(home.socket, ["now"]).status == 3)
  }

  /// The beginning of the sentence about each state of the daemon, up to the colon. The text after the colon differs
  /// between runs.
  private static let dead = beginning(.dead(reason: "x"))
  private static let hangs = beginning(.hangs(since: .seconds(1)))
  private static let loop = beginning(.restarting(count: 3, reason: "x"))
  private static let connected =
    ConsoleEvent.daemon(.connected).lines(ReplyStyle(columns: 80)).first ?? ""

  private static func beginning(_ state: DaemonState) -> String {
    String((state.finding ?? "").prefix { $0 != ":" })
  }

  /// Repeats `now` until a line of the answer begins with `words`, because the console can detect a change late.
  private func shows(_ words: String, _ console: ConsoleTerminal) throws -> Bool {
    for _ in 0..<50 {
      if try console.ask("now").contains(where: { $0.hasPrefix(words) }) { return true }
      usleep(100_000)
    }
    return false
  }

  /// The daemon is killed, stopped, and killed repeatedly. The console continues and reports the state of the daemon.
  @Test func daemonFailure_isReportedWithItsState() throws {
    let home = try home()
    var daemon = try start(home)
    let console = try ConsoleTerminal(home)

    daemon.end(SIGKILL)
    #expect(try shows(Self.dead, console))
    daemon = try start(home)
    #expect(try shows("title", console))

    daemon.send(SIGSTOP)
    #expect(try shows(Self.hangs, console))
    daemon.send(SIGCONT)
    #expect(try shows("title", console))

    daemon.end(SIGKILL)
    #expect(try shows(Self.dead, console))
    // If the daemon ends three times within a minute, this counts as a loop. On a busy machine, the first end can be
    // more than a minute ago. So up to four ends are tried.
    var isLoop = false
    for _ in 0..<4 where !isLoop {
      daemon = try start(home)
      #expect(try shows("title", console))
      daemon.end(SIGKILL)
      isLoop = try shows(Self.loop, console)
    }
    #expect(isLoop)
    #expect(console.ends("\u{4}"))
    #expect(console.faults == [])
  }
}
