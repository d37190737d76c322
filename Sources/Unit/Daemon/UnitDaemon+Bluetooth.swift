internal import AVRCPTarget
internal import Bluez
internal import Control
internal import EventLoop
internal import HeadUnit
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

// The surface for phones. It is used like all other surfaces. But the bus that it needs may become
// available late or never.
extension UnitDaemon {
  func makeBluetooth(_ state: UnitState) -> AVRCPTarget? {
    guard settings.isBluetoothOn else { return nil }
    // The seed is random. Otherwise, two units that are switched on together would always try to
    // connect at the same moments.
    var random = SystemRandomNumberGenerator()
    let client = BluezClient(loop, bus: .system)
    client.onLog = { [weak self] in self?.log($0, $1, at: .now()) }
    bluez = client
    let target = AVRCPTarget(
      client, unit.center, options: AVRCPTarget.Options(settings), lastUsed: state.phones,
      controllers: state.controllers, seed: random.next(), clock: MonotonicInstant.now)
    target.onActivity = { [weak self] in self?.turn() }
    target.onLastUsed = { [weak self] in self?.notePhones($0) }
    target.onControllers = { [weak self] in self?.noteControllers($0) }
    return target
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
    bluetooth?.report
      ?? FactsReport([.init("bluetooth", [.init("service", "off, by the configuration")])])
  }

  /// The line about phones in `status`.
  var phoneFacts: [FactsReport.Fact] { bluetooth.map { [$0.phonesFact] } ?? [] }
}

extension AVRCPTarget: ControlledPhones {}

extension AVRCPTarget.Options {
  init(_ settings: Settings) {
    self.init()
    limits = settings.phoneTexts == .packet ? .onePacket : .attribute
    pairingTime = settings.pairingTime
    pairsWithoutNumber = settings.pairsWithoutNumber
    obeysPlayOnConnect = settings.playOnConnect == .obey
    reconnects = settings.dialsPhones
    pausesWhenPhoneLeaves = settings.pausesWhenPhoneLeaves
  }
}
