import Foundation
import Reports
import TestKit
import Testing

/// Interruptions and ducks of a running daemon, begun by commands that end at once.
@Suite(.serialized) struct HoldTests {
  private func start() throws -> (ServeProcess.Place, ServeProcess) {
    let place = try ServeProcess.Place(["start = play"])
    try place.music("a", seconds: 300)
    let daemon = try ServeProcess(place)
    #expect(daemon.waits(for: .trackStarted) != nil)
    return (place, daemon)
  }

  private func runs(_ words: String..., in place: ServeProcess.Place) throws -> ConsoleProcess {
    try ConsoleProcess(place.socket, words)
  }

  /// Asks until the answer has these words.
  private func waits(for text: String, _ words: String..., in place: ServeProcess.Place) throws
    -> Bool
  {
    let end = ContinuousClock.now + Hang.limit
    repeat {
      if try ConsoleProcess(place.socket, words).output.contains(text) { return true }
    } while ContinuousClock.now < end
    return false
  }

  @Test func interruptionOfACommand_lasts_andStatusShowsTheTimeThatIsLeft() throws {
    let (place, daemon) = try start()
    #expect(try runs("interrupt", "begin", "call", in: place).status == 0)
    #expect(try waits(for: "held by  call", "now", in: place))
    #expect(try runs("status", in: place).output.contains("interruption  call, 29:"))
    #expect(try runs("interrupt", "begin", "call", in: place).status == 1)
    #expect(try runs("interrupt", "end", "call", in: place).status == 0)
    #expect(try waits(for: "playing", "now", in: place))
    #expect(daemon.end() == 0)
  }

  @Test func interruptionWithATime_endsByItself_andPlaybackResumes() throws {
    let (place, daemon) = try start()
    #expect(try runs("interrupt", "begin", "call", "--for", "1", in: place).status == 0)
    #expect(try waits(for: "held by  call", "now", in: place))
    #expect(try waits(for: "playing", "now", in: place))
    #expect(try runs("interrupt", "end", "call", in: place).status == 1)
    #expect(daemon.end() == 0)
  }

  @Test func interruptionThatEndsWithPause_leavesPaused_andPlaysOnCommand() throws {
    let (place, daemon) = try start()
    #expect(try runs("interrupt", "begin", "call", in: place).status == 0)
    #expect(try runs("interrupt", "end", "call", "--pause", in: place).status == 0)
    #expect(try waits(for: "paused", "now", in: place))
    #expect(try runs("play", in: place).status == 0)
    #expect(try waits(for: "playing", "now", in: place))
    #expect(daemon.end() == 0)
  }

  @Test func duck_isShown_andChangesNoVolume_andTheirNumberIsLimited() throws {
    let (place, daemon) = try start()
    let volume = try runs("volume", in: place).output
    for number in 1...16 {
      #expect(try runs("duck", "begin", "prompt\(number)", in: place).status == 0)
    }
    let refused = try runs("--json", "duck", "begin", "prompt17", in: place)
    #expect(refused.output.contains("too-many-holds"), "\(refused)")
    let status = try runs("status", in: place).output
    #expect(status.contains("duck") && status.contains("prompt16, 29:"), "\(status)")
    #expect(try runs("volume", in: place).output == volume)
    #expect(try runs("duck", "end", "prompt1", in: place).status == 0)
    #expect(try runs("duck", "begin", "prompt17", in: place).status == 0)
    #expect(daemon.end() == 0)
  }
}
