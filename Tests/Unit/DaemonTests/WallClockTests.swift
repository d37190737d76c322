import Testing

@testable import Daemon

@Suite struct WallClockTests {
  /// 2026-11-21 12:34:56.
  private let now = 1_795_264_496

  @Test func time_fromChipOrServer_isKnown() {
    for (chip, server) in [(true, false), (false, true), (true, true)] {
      let clock = WallClock(now: now, isFromChip: chip, isSynchronised: server)
      #expect(clock.text == "2026-11-21 12:34 UTC")
    }
  }

  /// Without a clock chip, systemd sets the clock to a date of its own. With an empty battery, the
  /// clock of a chip begins at 1970.
  @Test func time_withoutSourceOrTooOld_isUnknown() {
    let without = WallClock(now: now, isFromChip: false, isSynchronised: false)
    let empty = WallClock(now: 86400, isFromChip: true, isSynchronised: false)
    for clock in [without, empty] {
      #expect(clock.seconds == nil)
      #expect(clock.text.hasPrefix("unknown"))
    }
  }
}
