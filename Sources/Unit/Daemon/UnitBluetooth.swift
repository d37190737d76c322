internal import AVRCPTarget
internal import Bluez
internal import EventLoop
internal import HeadUnit
internal import NowPlaying
internal import PhoneLink
internal import PhonePlayer
internal import Reports
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
  /// The phones that are sources of sound.
  let link: PhoneLink
  let phones: PhonePlayer

  init(_ loop: EventLoop, _ unit: HeadUnit, _ settings: Settings, _ state: UnitState, log: UnitLog)
  {
    // The seed is random. Otherwise, two units that are switched on together would always try to
    // connect at the same moments.
    var random = SystemRandomNumberGenerator()
    client = BluezClient(loop, bus: .system)
    // A phone can begin streams without pause, so these lines are limited.
    client.onLog = { [log] event, text in
      switch event {
      case .streamBegan, .streamEnded, .streamFailed, .streamRefused:
        log.limited(event, text, at: .now())
      default: log(event, text, at: .now())
      }
    }
    target = AVRCPTarget(
      client, unit.center, options: AVRCPTarget.Options(settings), lastUsed: state.phones,
      controllers: state.controllers, seed: random.next(), clock: MonotonicInstant.now)
    link = PhoneLink(client, clock: MonotonicInstant.now)
    phones = PhonePlayer(
      link, engine: unit.engine, center: unit.center, clock: MonotonicInstant.now)
  }

  /// Connects to the bus.
  func start() { client.start() }

  /// Closes the pairing window.
  func stop() { target.stop() }

  /// Ends the sessions of the phones.
  func shutDown() { phones.shutDown() }

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
    startVolumeMaximum = VolumeLevel(step: settings.startVolumeMaximum, of: 100)
    pausesWhenPhoneLeaves = settings.pausesWhenPhoneLeaves
  }
}
