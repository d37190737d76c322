internal import AVRCPTarget
internal import Bluez
internal import Control
internal import EventLoop
internal import HeadUnit
internal import NowPlaying
internal import PhonePlayer
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

// The surface for phones. It is used like all other surfaces. But the bus that it needs may become
// available late or never.
extension UnitDaemon {
  /// The phone that was the last source, if the unit has to play it. Nil if the last source was the unit's own
  /// music.
  static func awaitedPhone(
    _ state: UnitState, _ settings: Settings, isSafeMode: Bool
  ) -> UnitState.PhoneSource? {
    guard !isSafeMode, settings.isBluetoothOn, settings.phoneWait > .zero,
      let phone = state.phoneSource
    else { return nil }
    return settings.plays(phone.wasPlaying) ? phone : nil
  }
}

extension Settings {
  /// True if the last source plays at the start.
  func plays(_ wasPlaying: Bool) -> Bool { start == .play || start == .resume && wasPlaying }
}
