import NowPlaying
import Testing

@testable import Daemon

/// The watchdog is fed if the output makes progress, or if no progress is expected.
@Suite struct OutputProgressTests {
  private var outputProgress = OutputProgress()

  private func instant(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(awake: .seconds(seconds))
  }

  private func output(_ frames: Int, isWanted: Bool = true, isLost: Bool = false)
    -> OutputProgress.Output
  {
    OutputProgress.Output(isWanted: isWanted, frames: frames, isLost: isLost)
  }

  @Test mutating func problem_advancingFrames_isNil() {
    for second in 0..<20 {
      #expect(outputProgress.problem(output(second * 48000), at: instant(Double(second))) == nil)
    }
  }

  @Test mutating func problem_constantFrames_isReportedAfterTheTimeout() {
    #expect(outputProgress.problem(output(1000), at: instant(0)) == nil)
    #expect(outputProgress.problem(output(1000), at: instant(1)) == nil)
    #expect(outputProgress.problem(output(1000), at: instant(4)) == nil)
    #expect(outputProgress.problem(output(1000), at: instant(5)) == OutputProgress.stallMessage)
    #expect(outputProgress.problem(output(1001), at: instant(6)) == nil)
    #expect(outputProgress.problem(output(1001), at: instant(7)) == nil)
  }

  @Test(arguments: [(false, false), (true, true)])
  mutating func problem_withoutPlaybackOrDevice_isNil(_ isWanted: Bool, _ isLost: Bool) {
    for second in 0..<20 {
      let still = output(7, isWanted: isWanted, isLost: isLost)
      #expect(outputProgress.problem(still, at: instant(Double(second))) == nil)
    }
  }
}
