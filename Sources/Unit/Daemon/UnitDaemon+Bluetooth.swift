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

  /// Starts or stops the measurement of presses at the radio. The program `autoharp-radio` starts
  /// when the socket is created, and ends when the socket is closed.
  func listenToRadio() {
    guard settings.isRadioTimed else {
      pressTimes = nil
      return
    }
    guard pressTimes == nil else { return }
    let path = socket.prefix(through: socket.lastIndex(of: "/") ?? socket.startIndex) + "radio"
    do throws(SystemError) {
      pressTimes = try PressTimes(loop, path: String(path))
    } catch {
      log(.radioUnreadable, "the times of the radio cannot be read: \(error)", at: .now())
    }
  }
}

extension Settings {
  /// True if the last source plays at the start.
  func plays(_ wasPlaying: Bool) -> Bool { start == .play || start == .resume && wasPlaying }
}
