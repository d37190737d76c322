import AudioCodecs
import TestKit
import Testing
import Threads

@testable import AudioEngine

@Suite struct NullSinkTests {
  @Test(arguments: [44100, 192_000, 768_000])
  func open_commonRate_isAcceptedWithTheBufferInItsFrames(rate: Int) throws {
    let device = try NullSink(bufferMilliseconds: 100).open(.test(rate: rate))
    #expect(device.sampleRate == rate)
    #expect(device.bufferFrames == rate / 10)
  }

  @Test(arguments: [100_000, 4_294_967_295], [16, 512, 16384])
  func open_anyRateAndPeriod_leavesTimeBetweenPeriods(rate: Int, periodFrames: Int) throws {
    let device = try NullSink(periodFrames: periodFrames).open(.test(rate: rate))
    #expect(device.sampleRate == min(rate, 768_000))
    #expect(device.periodFrames >= device.sampleRate / 1000)
    #expect(device.periodFrames <= device.sampleRate / 20)
    #expect(device.bufferFrames >= 2 * device.periodFrames)
  }

  /// At 1 Hz the usual period of 512 frames would last more than eight minutes. The engine must stop much earlier.
  @Test func shutDown_atOneHertz_doesNotTakeMinutes() async {
    let engine = PlaybackEngine(sink: NullSink())
    engine.play(.scripted(1, .test(rate: 1), [.frames(600)]))
    var hasStarted = false
    while !hasStarted {
      engine.wakeUp.wait()
      for event in engine.takeEvents() {
        if case .started = event { hasStarted = true }
      }
    }
    engine.shutDown()
  }
}
