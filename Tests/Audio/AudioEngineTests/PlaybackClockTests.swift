import Testing

@testable import AudioEngine

@Suite struct PlaybackClockTests {
  @Test func heardPosition_withoutNewFrames_stopsAtTheEndOfTheDevicesBuffer() {
    let clock = PlaybackClock()
    defer { clock.deallocate() }
    clock.configure(sampleRate: 1000)
    clock.publish(position: 500, pending: 100, now: 1_000_000_000)
    #expect(clock.heardPosition(now: 1_000_000_000) == 400)
    #expect(clock.heardPosition(now: 1_050_000_000) == 450)
    #expect(clock.heardPosition(now: 1_100_000_000) == 500)
    #expect(clock.heardPosition(now: 9_000_000_000) == 500)
  }

  @Test func heardPosition_beforeTheTimeOfTheReading_isThatOfTheReading() {
    let clock = PlaybackClock()
    defer { clock.deallocate() }
    clock.configure(sampleRate: 1000)
    clock.publish(position: 500, pending: 100, now: 1_000_000_000)
    #expect(clock.heardPosition(now: 0) == 400)
  }

  @Test func heardPosition_behindSilence_advancesWhenTheSilenceWasHeard() {
    let clock = PlaybackClock()
    defer { clock.deallocate() }
    clock.configure(sampleRate: 1000)
    clock.publish(position: 500, pending: 100, delay: 300, now: 0)
    let heard = [0, 200, 250, 300, 400].map { clock.heardPosition(now: $0 * 1_000_000) }
    #expect(heard == [400, 400, 450, 500, 500])
  }
}
