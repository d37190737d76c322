internal import AVRCPTarget
internal import Bluez
internal import Control
internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import PhoneLink
internal import PhonePlayer
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// Phones and remotes: the connection to bluetoothd, and what uses it. Waits for the phone of the ``StartPlan``, and decides
/// how long the unit waits for a phone. Changes Now Playing only by the sessions of phones. The bus may become available
/// late or never; if the configuration switches Bluetooth off, this object never connects to it.
final class UnitBluetooth {
  /// False if the configuration switches Bluetooth off.
  let isOn: Bool
  /// The connection to bluetoothd.
  let client: BluezClient
  /// The surface for controllers. Also pairs and connects devices.
  let target: AVRCPTarget
  /// The phones that are sources of sound.
  let link: PhoneLink
  let phones: PhonePlayer
  private let storageWait: StorageWait
  private let turns: Turns

  /// - Parameter bus: the bus of bluetoothd. Tests use another one.
  init(
    _ loop: EventLoop, _ unit: HeadUnit, _ settings: Settings, _ plan: StartPlan,
    _ memory: UnitMemory, bus: Bus.Address = .system, _ turns: Turns, log: UnitLog
  ) {
    self.turns = turns
    isOn = settings.isBluetoothOn
    let state = memory.opened
    storageWait = StorageWait(loop)
    // The seed is random. Otherwise, two units that are switched on together would always try to
    // connect at the same moments.
    var random = SystemRandomNumberGenerator()
    client = BluezClient(loop, bus: bus)
    // A phone can begin streams without pause, so these lines are limited.
    client.onLog = { [log] event, text in
      switch event {
      case .streamBegan, .streamEnded, .streamFailed, .streamRefused:
        log.limited(event, text, at: .now())
      default: log(event, text, at: .now())
      }
    }
    let link = PhoneLink(client, clock: MonotonicInstant.now)
    self.link = link
    target = AVRCPTarget(
      client, unit.center, options: AVRCPTarget.Options(settings), lastUsed: state.phones,
      controllers: state.controllers, firstChoice: state.firstChoice,
      unconfirmed: state.unconfirmed,
      isStreaming: { [weak link] in link?.isStreaming ?? false }, seed: random.next(),
      clock: MonotonicInstant.now)
    phones = PhonePlayer(
      link, engine: unit.engine, center: unit.center, clock: MonotonicInstant.now)
    phones.playsConnectedPhones = settings.playsConnectedPhones
    target.onState = { [turns] _ in turns.request() }
    target.onActivity = { [turns] in turns.request() }
    phones.onActivity = { [turns, weak target] in
      turns.request()
      target?.playingChanged()
    }
    phones.onWaitStopped = { [memory] in memory.notePhoneStopped($0) }
    target.onLastUsed = { [memory] in memory.notePhones($0) }
    target.onFirstChoice = { [memory] in memory.noteFirstChoice($0) }
    target.onForgotten = { [memory] in memory.forgetPhone($0) }
    target.onControllers = { [memory] in memory.noteControllers($0) }
    target.onUnconfirmed = { [memory, storageWait] addresses, stored in
      memory.noteUnconfirmed(addresses.sorted())
      storageWait.add(stored) { memory.hasStoredUnconfirmed }
    }
    target.playing = { [weak phones] in phones?.playing($0) }
    target.onPlay = { [weak phones] in phones?.choose($0, $1) }
    target.onAwait = { [weak self] in
      self?.wait(for: $0, name: $1, time: Self.chosenPhoneWait)
    }
    target.onAwaitEnd = { [weak phones] in phones?.endWait(for: $0) }
    phones.onLoss = { [weak self] in self?.wait(for: $0, name: $1, time: Self.chosenPhoneWait) }
    phones.onSoundMissing = { [weak target] in target?.connectSound(of: $0) }
    phones.onAbsence = { [weak self] in self?.add(UnitNotice(.phoneAbsent, about: $0)) }
    link.onStream = { [weak target] in target?.streamChanged(of: $0, isStreaming: $1) }
    if let phone = plan.phone {
      wait(for: phone.address, name: phone.name, time: settings.phoneWait)
    }
  }

  /// How long the unit waits for a phone that people have chosen, or that was lost. An attempt to connect
  /// takes less.
  private static let chosenPhoneWait = Duration.seconds(30)
  /// The notice about the last wait for a phone. A later one replaces it.
  private var notice: UnitNotice?

  private func wait(for address: String, name: String, time: Duration) {
    phones.wait(for: address, name: name, time: time)
    add(UnitNotice(.phoneAwaited, about: name))
  }

  private func add(_ notice: UnitNotice) {
    self.notice = notice
    turns.request()
  }

  /// The notice about the wait for a phone, once. Nil if it is over because the phone has come.
  func takeNotice() -> UnitNotice? {
    defer { notice = nil }
    if notice?.kind == .phoneAwaited, phones.awaitedName == nil { return nil }
    return notice
  }

  /// Must be called with each event of the player: while the output is lost, no phone can be heard.
  func handle(_ event: LocalPlayer.Event) {
    switch event {
    case .outputFailed: phones.setOutputLost(true)
    case .outputRegained: phones.setOutputLost(false)
    default: break
    }
  }

  /// Connects to the bus.
  func start() { if isOn { client.start() } }

  /// What clients may do with phones. Nil if Bluetooth is off.
  var controlled: (any ControlledPhones)? { isOn ? target : nil }

  /// The times of devices and their keys, and each connected phone.
  var report: FactsReport {
    guard isOn else {
      return FactsReport([.init("bluetooth", [.init("service", "off, by the configuration")])])
    }
    return FactsReport(target.report.sections + phoneSections)
  }

  /// The line about phones in `status`.
  var facts: [FactsReport.Fact] { isOn ? [target.phonesFact] : [] }

  /// What `diagnose` finds.
  var findings: [DiagnosisReport.Finding] { isOn ? target.findings + phoneFindings : [] }

  /// Closes the pairing window.
  func stop() { target.stop() }

  /// Ends the sessions of the phones.
  func shutDown() { phones.shutDown() }

  func use(_ settings: Settings) {
    target.options = AVRCPTarget.Options(settings)
    phones.playsConnectedPhones = settings.playsConnectedPhones
  }
}

extension AVRCPTarget.Options {
  init(_ settings: Settings) {
    self.init()
    name = settings.bluetoothName
    limits = settings.phoneTexts == .packet ? .onePacket : .attribute
    pairingTime = settings.pairingTime
    pairsWithoutNumber = settings.pairsWithoutNumber
    obeysPlayOnConnect = settings.playOnConnect == .obey
    reconnects = settings.dialsPhones
    startVolumeMaximum = VolumeLevel(step: settings.startVolumeMaximum, of: 100)
    pausesWhenPhoneLeaves = settings.pausesWhenPhoneLeaves
  }
}

extension AVRCPTarget: ControlledPhones {}
