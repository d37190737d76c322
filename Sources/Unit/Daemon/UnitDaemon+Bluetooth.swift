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
  func makeBluetooth(
    _ state: UnitState, waitingFor phone: UnitState.PhoneSource?
  ) -> UnitBluetooth? {
    guard settings.isBluetoothOn else { return nil }
    let bluetooth = UnitBluetooth(loop, unit, settings, state, log: log)
    bluetooth.target.onActivity = { [weak self] in self?.turn() }
    bluetooth.phones.onActivity = { [weak self] in
      self?.turn()
      self?.bluetooth?.target.playingChanged()
    }
    bluetooth.onNotice = { [weak self] in self?.reportNotices() }
    bluetooth.phones.onWaitStopped = { [weak self] in
      self?.saver.notePhoneStopped($0, at: .now())
      self?.turn()
    }
    bluetooth.target.onLastUsed = { [weak self] in self?.notePhones($0) }
    bluetooth.target.onFirstChoice = { [weak self] in
      self?.saver.noteFirstChoice($0, at: .now())
      self?.turn()
    }
    bluetooth.target.onUnconfirmed = { [weak self] in self?.noteUnconfirmed($0, stored: $1) }
    bluetooth.target.onForgotten = { [weak self] in
      self?.saver.forgetPhone($0, at: .now())
      self?.turn()
    }
    bluetooth.target.onControllers = { [weak self] in self?.noteControllers($0) }
    if let phone { bluetooth.wait(for: phone, settings) }
    return bluetooth
  }

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

  /// Records the phones in the order of their use.
  private func notePhones(_ addresses: [String]) {
    saver.notePhones(addresses, at: .now())
    turn()
  }

  /// Records the devices that have pressed a key.
  private func noteControllers(_ addresses: [String]) {
    saver.noteControllers(addresses, at: .now())
    turn()
  }

  /// Records the devices whose pairing no person has confirmed. Calls `stored` when they are on storage.
  private func noteUnconfirmed(_ addresses: Set<String>, stored: @escaping () -> Void) {
    saver.noteUnconfirmed(addresses.sorted(), at: .now())
    turn()
    bluetooth?.storageWait.add(stored) { [weak self] in
      guard let self else { return true }
      return !saver.hasNewUnconfirmed && !store.isSaving
    }
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

  var bluetoothReport: FactsReport {
    if let bluetooth {
      return FactsReport(bluetooth.target.report.sections + bluetooth.phoneSections)
    }
    return FactsReport([.init("bluetooth", [.init("service", "off, by the configuration")])])
  }

  /// The line about phones in `status`.
  var phoneFacts: [FactsReport.Fact] { bluetooth.map { [$0.target.phonesFact] } ?? [] }
}

extension AVRCPTarget: ControlledPhones {}

extension Settings {
  /// True if the last source plays at the start.
  func plays(_ wasPlaying: Bool) -> Bool { start == .play || start == .resume && wasPlaying }
}
