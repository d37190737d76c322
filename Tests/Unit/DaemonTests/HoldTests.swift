import Foundation
import Reports
import TestKit
import Testing

/// Console commands begin interruptions and ducks of a running daemon. The commands end at once, but the interruptions
/// and ducks last.
@Suite(.serialized) struct HoldTests {
  private func start() throws -> (ServeProcess.Home, ServeProcess) {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 300)
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted) != nil)
    return (home, daemon)
  }

  private func runs(_ words: String..., in home: ServeProcess.Home) throws -> ConsoleProcess {
    try ConsoleProcess(home.socket, words)
  }

  /// Repeats a command of the console until its output contains `text`.
  private func waits(for text: String, _ words: String..., in home: ServeProcess.Home) throws
    -> Bool
  {
    let end = ContinuousClock.now + Hang.limit
    repeat {
      if try ConsoleProcess(home.socket, words).output.contains(text) { return true }
    } while ContinuousClock.now < end
    return false
  }

  @Test func interruptionOfACommand_lasts_andStatusShowsTheTimeThatIsLeft() throws {
    let (home, daemon) = try start()
    #expect(try runs("interrupt", "begin", "call", in: home).status == 0)
    #expect(try waits(for: "held by  call", "now", in: home))
    #expect(try runs("status", in: home).output.contains("interruption  call, 29:"))
    #expect(try runs("interrupt", "begin", "call", in: home).status == 1)
    #expect(try runs("interrupt", "end", "call", in: home).status == 0)
    #expect(try waits(for: "playing", "now", in: home))
    #expect(daemon.end() == 0)
  }

  /// The daemon crashes in a call. The music must not start in the call.
  @Test func interruptionOfACommand_survivesACrash_andEndsAfterIt() throws {
    let (home, daemon) = try start()
    #expect(try runs("interrupt", "begin", "call", in: home).status == 0)
    #expect(try runs("duck", "begin", "prompt", in: home).status == 0)
    #expect(try waits(for: "held by  call", "now", in: home))
    daemon.end(SIGKILL)

    let second = try ServeProcess(home)
    #expect(second.waits(for: .musicFound) != nil)
    #expect(try waits(for: "held by  call", "now", in: home))
    let status = try runs("status", in: home).output
    #expect(status.contains("interruption  call, ") && status.contains("prompt, "), "\(status)")
    #expect(!second.logged(.trackStarted))
    #expect(try runs("interrupt", "end", "call", in: home).status == 0)
    #expect(second.waits(for: .trackStarted) != nil)
    #expect(try waits(for: "playing", "now", in: home))
    #expect(try runs("duck", "end", "prompt", in: home).status == 0)
    #expect(second.end() == 0)

    let third = try ServeProcess(home)
    #expect(third.waits(for: .trackStarted) != nil)
    #expect(third.end() == 0)
  }

  /// The machine starts again in the call, so the call has ended.
  @Test func interruptionOfACommand_endsWithTheBoot() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 300)
    let first = try ServeProcess(home, environment: ["AUTOHARP_BOOT": "one"])
    #expect(first.waits(for: .trackStarted) != nil)
    #expect(try runs("interrupt", "begin", "call", in: home).status == 0)
    first.end(SIGKILL)
    let second = try ServeProcess(home, environment: ["AUTOHARP_BOOT": "two"])
    #expect(second.waits(for: .trackStarted) != nil)
    #expect(second.end() == 0)
  }

  @Test func interruptionWithATime_endsByItself_andPlaybackResumes() throws {
    let (home, daemon) = try start()
    #expect(try runs("interrupt", "begin", "call", "--for", "1", in: home).status == 0)
    #expect(try waits(for: "held by  call", "now", in: home))
    #expect(try waits(for: "playing", "now", in: home))
    #expect(try runs("interrupt", "end", "call", in: home).status == 1)
    #expect(daemon.end() == 0)
  }

  @Test func interruptionThatEndsWithPause_leavesPaused_andPlaysOnCommand() throws {
    let (home, daemon) = try start()
    #expect(try runs("interrupt", "begin", "call", in: home).status == 0)
    #expect(try runs("interrupt", "end", "call", "--pause", in: home).status == 0)
    #expect(try waits(for: "paused", "now", in: home))
    #expect(try runs("play", in: home).status == 0)
    #expect(try waits(for: "playing", "now", in: home))
    #expect(daemon.end() == 0)
  }

  @Test func duck_isShown_andChangesNoVolume_andTheirNumberIsLimited() throws {
    let (home, daemon) = try start()
    let volume = try runs("volume", in: home).output
    for number in 1...16 {
      #expect(try runs("duck", "begin", "prompt\(number)", in: home).status == 0)
    }
    let refused = try runs("--json", "duck", "begin", "prompt17", in: home)
    #expect(refused.output.contains("too-many-holds"), "\(refused)")
    let status = try runs("status", in: home).output
    #expect(status.contains("duck") && status.contains("prompt16, 29:"), "\(status)")
    #expect(try runs("volume", in: home).output == volume)
    #expect(try runs("duck", "end", "prompt1", in: home).status == 0)
    #expect(try runs("duck", "begin", "prompt17", in: home).status == 0)
    #expect(daemon.end() == 0)
  }
}
