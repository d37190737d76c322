internal import A2DPStream
internal import AVRCPTarget
internal import AudioEngine
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

/// Handles phones and remotes: contains the connection to bluetoothd, and the parts that use this connection. Waits for
/// the phone that the ``StartPlan`` names, and decides how long the unit waits for a phone. Changes Now Playing only
/// through the sessions of phones. The bus can become available late or never. If the configuration switches Bluetooth
/// off, this object never connects to the bus.
final class UnitBluetooth {
  /// False if the configuration switches Bluetooth off.
  let isOn: Bool
  /// The connection to bluetoothd.
  let client: BluezClient
  /// The surface for AVRCP controllers. It also pairs and connects devices.
  let target: AVRCPTarget
  /// The phones that are sources of sound.
  let link: PhoneLink
  let phones: PhonePlayer
  private let storageWait: StorageWait
  private let turns: Turns

  /// - Parameter bus: the bus of bluetoothd. Tests use another bus.
  init(
    _ loop: EventLoop, _ unit: HeadUnit, _ settings: Settings, _ plan: StartPlan,
    _ memory: UnitMemory, _ buttons: ConfiguredButtons, bus: Bus.Address = .system,
    _ turns: Turns, log: UnitLog
  ) {
    self.turns = turns
    isOn = settings.isBluetoothOn
    let state = memory.opened
    storageWait = StorageWait(loop)
    // The seed is random. Otherwise, two units that are switched on together would always try to connect at the same
    // moments.
    var random = SystemRandomNumberGenerator()
    client = BluezClient(loop, bus: bus)
    // A phone can begin one stream after the other, so the number of log lines about streams is limited.
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
      link, engine: unit.engine, center: unit.center,
      configure: { buttons.configureForPhone(&$0) }, clock: MonotonicInstant.now)
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
    phones.onAbsence = { [weak self] in
      self?.hasMissedPhone = true
      self?.add(UnitNotice(.phoneAbsent, about: $0))
    }
    link.onStream = { [weak target] in target?.streamChanged(of: $0, isStreaming: $1) }
    if let phone = plan.phone {
      wait(for: phone.address, name: phone.name, time: settings.phoneWait)
    }
  }

  /// The time for which the unit waits for a phone that was chosen or lost. One attempt to connect takes less time.
  private static let chosenPhoneWait = Duration.seconds(30)
  /// The notice about the last wait for a phone. A later notice replaces it.
  private var notice: UnitNotice?

  /// True if the unit has waited for a phone in vain.
  private var hasMissedPhone = false

  /// True if people expect a phone and not the music of a stick: a phone is Now Playing, is awaited, or was awaited in
  /// vain.
  var isPhoneFirst: Bool {
    hasMissedPhone || phones.primary != nil || phones.awaitedName != nil
  }

  private func wait(for address: String, name: String, time: Duration) {
    phones.wait(for: address, name: name, time: time)
    add(UnitNotice(.phoneAwaited, about: name))
  }

  private func add(_ notice: UnitNotice) {
    self.notice = notice
    turns.request()
  }

  /// Returns the notice about the wait for a phone, once. Nil if the wait is over because the phone has connected.
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

  /// Carries out the commands of clients for phones. Nil if Bluetooth is off.
  var controlled: (any ControlledPhones)? { isOn ? target : nil }

  /// The facts about Bluetooth devices, such as their last key presses, and about each connected phone.
  var report: FactsReport {
    guard isOn else {
      return FactsReport([.init("bluetooth", [.init("service", "off, by the configuration")])])
    }
    return FactsReport(target.report.sections + phoneSections)
  }

  /// The line about phones in `status`.
  var facts: [FactsReport.Fact] { isOn ? [target.phonesFact] : [] }

  /// True if bluetoothd runs and offers no controller.
  var lacksAdapter: Bool { if case .noAdapter = target.state.service { isOn } else { false } }

  /// The findings about Bluetooth, for `diagnose`.
  var findings: [DiagnosisReport.Finding] {
    isOn
      ? target.findings + phoneFindings
      : [.init("bluetooth.off", "bluetooth", .good, "Bluetooth is off, by the settings")]
  }

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

// Reports about the phones that are sources of sound, for `bt` and `diagnose`.
extension UnitBluetooth {
  /// A section for each connected phone.
  private var phoneSections: [FactsReport.Section] {
    phones.statuses.map { phone in
      let stream = phone.stream.map(Self.facts) ?? [.init("stream", "none")]
      return FactsReport.Section(
        "phone \(phone.name)",
        [
          .init("address", phone.address),
          .init("player", phone.hasPlayer ? phone.status ?? "no status yet" : "none"),
          .init("volume", volumeWords(phone)),
        ] + stream + (phone.isSilenced ? [.init("sound", "dropped: the phone must be silent")] : [])
      )
    }
  }

  private func volumeWords(_ phone: PhonePlayer.Status) -> String {
    guard let step = volume(of: phone) else { return "not linked: the phone changes its samples" }
    return "linked, \(VolumeLevel(step: step, of: 127))"
  }

  private func volume(of phone: PhonePlayer.Status) -> Int? {
    client.transports.first { $0.devicePath == phone.device }?.volume
  }

  private static func facts(_ stream: PhonePlayer.Stream) -> [FactsReport.Fact] {
    let configuration = stream.configuration
    let packets = stream.report.packets
    let drift = stream.report.driftPPM.map { "\(Int($0.rounded())) ppm" } ?? "below the tolerance"
    return [
      .init(
        "codec",
        "SBC \(configuration.rate) Hz, \(configuration.channels) channels, bitpool up to "
          + "\(configuration.bitpools.upperBound)"),
      .init("sound", stream.isPlayed ? "heard" : stream.isMusic ? "not heard" : "a prompt"),
      .init(
        "lead",
        "\(milliseconds(stream.lead)) of \(milliseconds(stream.report.target)) ms"
          + (stream.report.isResampled ? ", resampled" : ", not resampled")),
      .init("clock", drift),
      .init("packets", "\(packets.packets), lost \(packets.lost), late \(packets.late)"),
      // In a longer gap, the number of lost packets is unknown, because the phone can restart its sequence numbers.
      .init("longer gaps", "\(packets.jumps)"),
      .init(
        "holes", "\(stream.counts.underruns)", stream.counts.underruns == 0 ? .good : .note),
      .init("dropped frames", "\(stream.counts.dropped)"),
      .init(
        "damaged", "\(packets.damaged) SBC frames, \(packets.refused) packets",
        packets.damaged + packets.refused == 0 ? .good : .note),
    ]
  }

  private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }

  // MARK: Diagnosis

  typealias Finding = DiagnosisReport.Finding

  /// The findings about phones as sources, for `diagnose`. Each check explains one complaint of drivers.
  private var phoneFindings: [Finding] {
    guard case .ready = client.service else { return [] }
    var findings: [Finding] = []
    if !link.isRegistered {
      findings.append(
        Finding(
          "phone.no-endpoint", "phones", .bad,
          "bluetoothd does not offer the unit as a loudspeaker",
          meaning: "no phone can play through the unit",
          remedy: "see 'log'; bluetoothd must have its plug-in a2dp"))
    }
    if !target.options.reconnects, !target.state.bondedPhones.isEmpty {
      findings.append(
        Finding(
          "phone.no-dialling", "phones", .note, "the unit connects to no phone by itself",
          meaning: "each phone has to be connected by hand",
          remedy: "'dial-phones = yes' connects phones at the start"))
    }
    let statuses = phones.statuses
    if statuses.filter({ $0.stream != nil }).count > 1 {
      findings.append(
        Finding(
          "phone.several-streams", "phones", .note, "several phones stream",
          meaning: "only the one that started last is heard"))
    }
    if statuses.contains(where: { $0.stream != nil }),
      client.adapters.contains(where: \.isDiscovering)
    {
      findings.append(
        Finding(
          "phone.searching", "phones", .note,
          "bluetoothd searches for devices while a phone streams",
          meaning: "the search takes the controller, so the sound may stutter",
          remedy: "end the program that searches; the unit itself does not search now"))
    }
    return findings + statuses.flatMap(findings(about:))
  }

  private func findings(about phone: PhonePlayer.Status) -> [Finding] {
    var findings: [Finding] = []
    func add(
      _ code: String, _ grade: Grade, _ found: String, _ meaning: String? = nil,
      _ remedy: String? = nil
    ) {
      findings.append(Finding(code, phone.name, grade, found, meaning: meaning, remedy: remedy))
    }
    if !phone.hasPlayer {
      add(
        "phone.no-player", .note, "the phone reports nothing about its player",
        "no titles, and keys of the unit do not reach the phone",
        "disconnect and connect the phone; its remote control may have been refused")
    } else if !phone.hasPosition {
      add(
        "phone.no-position", .note, "the phone reports no position",
        "the screen shows no progress")
    }
    if volume(of: phone) == nil {
      add(
        "phone.no-volume", .note, "the phone has no absolute volume",
        "the volume keys of the phone change its sound, and not the volume of the unit",
        "set the volume of the phone to its maximum")
    }
    if phone.isSilenced, phone.status == "playing" {
      add(
        "phone.disobeys", .note, "the unit told the phone to pause, but the phone continues",
        "its sound is dropped", "press play at the unit, or pause on the phone")
    }
    guard let stream = phone.stream else { return findings }
    let packets = stream.report.packets
    if stream.counts.underruns > 0 || packets.lost + packets.jumps > 0 {
      add(
        "phone.stutter", .note,
        "\(stream.counts.underruns) holes, \(packets.lost) lost packets, \(packets.jumps) longer gaps "
          + "in this stream",
        "the link is disturbed: distance, Wi-Fi in the same band, or a weak controller",
        "see the signal in 'bt phones'; use Wi-Fi at 5 GHz on the phone")
    }
    if packets.damaged + packets.refused > 0 {
      add(
        "phone.damaged", .note,
        "\(packets.damaged + packets.refused) parts of the stream are damaged",
        "short silence in their places")
    }
    if let drift = stream.report.driftPPM, drift.magnitude > 300 {
      add(
        "phone.clock", .note, "the clocks differ by \(Int(drift.rounded())) ppm",
        "the clock of the phone or of the sound card is far from its rate")
    }
    if findings.isEmpty { add("phone.good", .good, "streams without holes") }
    return findings
  }
}
