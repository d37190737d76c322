internal import AVRCPTarget
internal import Bluez
internal import EventLoop
internal import HeadUnit
internal import NowPlaying
internal import Settings
internal import SystemClock
internal import UnitState

/// Phones and remotes: the connection to bluetoothd, and the parts that use it. The bus may become
/// available late or never.
final class UnitBluetooth {
  /// The connection to bluetoothd.
  let client: BluezClient
  /// The surface for controllers. Also pairs and connects devices.
  let target: AVRCPTarget

  init(_ loop: EventLoop, _ unit: HeadUnit, _ settings: Settings, _ state: UnitState, log: UnitLog)
  {
    // The seed is random. Otherwise, two units that are switched on together would always try to
    // connect at the same moments.
    var random = SystemRandomNumberGenerator()
    client = BluezClient(loop, bus: .system)
    client.onLog = { [log] in log($0, $1, at: .now()) }
    target = AVRCPTarget(
      client, unit.center, options: AVRCPTarget.Options(settings), lastUsed: state.phones,
      controllers: state.controllers, seed: random.next(), clock: MonotonicInstant.now)
  }

  /// Connects to the bus.
  func start() { client.start() }

  /// Closes the pairing window.
  func stop() { target.stop() }

  func use(_ settings: Settings) { target.options = AVRCPTarget.Options(settings) }
}

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
