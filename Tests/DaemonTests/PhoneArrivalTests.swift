import NowPlaying
import Settings
import Testing

@testable import Daemon

/// What a phone's PLAY on connecting does (`play-on-connect`).
@Suite struct PhoneArrivalTests {
  private func instant(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(awake: .seconds(seconds))
  }

  private func expect(
    _ isObeyed: Bool, _ phone: inout PhoneArrival, _ request: MediaRequest,
    _ policy: Settings.ConnectPolicy, _ seconds: Double,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let answer = phone.obeys(request, under: policy, at: instant(seconds))
    #expect(answer == isObeyed, sourceLocation: sourceLocation)
  }

  @Test func playOnConnecting_isLeftOut_andObeyedLater() {
    var phone = PhoneArrival()
    phone.connected(at: instant(100))
    expect(false, &phone, .play, .ignore, 100.2)
    // Some send it again.
    expect(false, &phone, .play, .ignore, 101)
    expect(true, &phone, .play, .ignore, 103)
    // It comes back, and sends it again.
    phone.connected(at: instant(200))
    expect(false, &phone, .play, .ignore, 201)
  }

  @Test func whoPressesSomethingElse_isObeyedFromThenOn() {
    var phone = PhoneArrival()
    phone.connected(at: instant(100))
    expect(true, &phone, .next, .ignore, 100.5)
    expect(true, &phone, .play, .ignore, 100.7)
  }

  @Test func policyThatObeys_andPhonesThatNeverConnected_areObeyed() {
    var phone = PhoneArrival()
    expect(true, &phone, .play, .ignore, 1)
    phone.connected(at: instant(100))
    expect(true, &phone, .play, .obey, 100.2)
  }
}
