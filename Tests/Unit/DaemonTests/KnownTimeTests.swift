import Reports
import Settings
import SystemClock
import Testing

@testable import Daemon

@Suite struct KnownTimeTests {
  /// 2026-11-21 12:34:56.
  private let now = 1_795_264_496

  @Test func time_thatSomethingKeeps_isKnown() {
    for keeper in SettingsState.Clock.allCases where keeper != .unknown {
      let clock = KnownTime(now: now, keeper: keeper)
      #expect(clock.text(in: nil) == "2026-11-21 12:34 UTC")
    }
  }

  @Test func text_isInTheZoneOfTheSettings() throws {
    let zone = try #require(ClockZone.all.first { $0.name == "Europe/Berlin" })
    #expect(KnownTime(now: now, keeper: .chip).text(in: zone) == "2026-11-21 13:34 CET")
    // 2026-07-01 22:00 UTC.
    #expect(KnownTime(now: 1_782_943_200, keeper: .chip).text(in: zone) == "2026-07-02 00:00 CEST")
  }

  /// Without a clock chip, systemd sets the clock to a date of its own. If the battery of a clock chip is empty, the
  /// clock begins at 1970.
  @Test func time_withoutSourceOrTooOld_isUnknown() {
    let without = KnownTime(now: now, keeper: .unknown)
    let empty = KnownTime(now: 86400, keeper: .chip)
    for clock in [without, empty] {
      #expect(clock.seconds == nil)
      #expect(clock.text(in: nil).hasPrefix("unknown"))
    }
  }
}
