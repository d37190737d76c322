import EventLoop
import Testing

@testable import CarLines

@Suite struct LineRetryTests {
  @Test func eachReasonIsReportedOnce_andTheAttemptsGoOn() throws {
    let loop = EventLoop()
    var attempts = 0
    var reasons: [String] = []
    var retry: LineRetry?
    retry = LineRetry(loop, firstWait: .milliseconds(1)) {
      attempts += 1
      retry?.failed(attempts < 3 ? "missing" : "busy")
    }
    retry?.onFailure = { reasons.append($0) }
    retry?.failed("missing")
    while attempts < 4 { try loop.step(timeout: .milliseconds(100)) }
    #expect(reasons == ["missing", "busy"])
    // After a success, the same reason is reported again.
    retry?.reset()
    retry?.failed("busy")
    #expect(reasons == ["missing", "busy", "busy"])
  }
}
