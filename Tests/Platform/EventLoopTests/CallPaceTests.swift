import EventLoop
import Testing

@Suite struct CallPaceTests {
  @Test func callPace_grantsABurst_andThenOneCallInEachInterval() {
    var pace = CallPace(perSecond: 16, burst: 32)
    let start = Duration.seconds(100)
    let granted = (0..<100).filter { _ in pace.permits(at: start) }
    #expect(granted.count == 32)
    let later = (1...100).filter { pace.permits(at: start + .milliseconds($0 * 10)) }
    #expect(later.count == 16)
    // A long pause does not grant more than a burst.
    let end = start + .seconds(3600)
    #expect((0..<100).filter { _ in pace.permits(at: end) }.count == 32)
  }

  @Test func callPace_waitsUntilMoreThanABurstFits() {
    var pace = CallPace(perSecond: 10, burst: 20)
    let start = Duration.seconds(100)
    #expect(pace.wait(after: 20, at: start) == .zero)
    #expect(pace.wait(after: 5, at: start) == .milliseconds(500))
    #expect(pace.wait(after: 1, at: start + .milliseconds(500)) == .milliseconds(100))
    #expect(pace.wait(after: 20, at: start + .seconds(3600)) == .zero)
  }
}
