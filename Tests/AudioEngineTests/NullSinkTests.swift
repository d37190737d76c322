import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

@Suite struct NullSinkTests {
  /// At 1 Hz a usual period would take minutes, and so would stopping.
  @Test(.timeLimit(.minutes(1))) func shutDown_atOneHertz_doesNotWaitForThePeriod() async {
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
