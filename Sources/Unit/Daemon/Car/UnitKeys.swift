internal import AVRCPTarget
internal import Control
internal import EventLoop
internal import Input
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

/// Handles the keys and knobs of the machine. Decides which command a key sends, and passes the time and the device of
/// the press with it. Changes Now Playing only by commands. If the keys cannot be opened, the unit runs without them.
///
/// Used on the control thread. No function blocks.
final class UnitKeys {
  /// The name of the keys in the trace and in the table of latencies.
  static let surface = SurfaceID("keys")

  private let loop: EventLoop
  private let folder: String
  private let source: any NodeSource
  private let center: NowPlayingCenter
  private let target: AVRCPTarget?
  private let outbox: UnitOutbox
  private let turns: Turns
  private let log: UnitLog
  /// The open input devices. Nil before ``open(_:at:)``, and if the keys could not be opened.
  private var devices: InputDevices?
  private var port: SurfacePort?

  /// - Parameters:
  ///   - folder: the folder of the device nodes. Tests replace this folder and `source`.
  ///   - target: gets the device of each press before the press is sent. A Bluetooth device whose key was pressed
  ///     counts as a controller.
  init(
    _ loop: EventLoop, _ center: NowPlayingCenter, _ target: AVRCPTarget? = nil,
    folder: String = "/dev/input", source: any NodeSource = KernelNodes(), _ outbox: UnitOutbox,
    _ turns: Turns, log: UnitLog
  ) {
    self.loop = loop
    self.folder = folder
    self.source = source
    self.center = center
    self.target = target
    self.outbox = outbox
    self.turns = turns
    self.log = log
  }

  /// Opens the keys. A failure is logged.
  func open(_ settings: Settings, at now: MonotonicInstant) {
    do throws(SystemError) {
      let devices = try InputDevices(
        loop, folder: folder, source: source, table: Self.table(settings), hold: settings.keyHold)
      devices.onPress = { [weak self] in self?.handle($0) }
      devices.onChange = { [log] in log.note($0) }
      devices.onUnknown = { [weak self] in self?.handle($0) }
      // The closure, which would get the state, is empty, because keys show no state.
      port = center.connect(SurfaceDescription(id: Self.surface, isInputOnly: true), at: now) { _ in
      }
      self.devices = devices
    } catch {
      log(.keysFailed, "\(error)", at: .now())
    }
  }

  /// Sets the bindings. New bindings take effect with the next press.
  func configure(_ settings: Settings) {
    devices?.table = Self.table(settings)
    devices?.hold = settings.keyHold
  }

  /// Adds a device whose events the caller writes. See ``InputDevices/attach(_:node:)``. Nil if the keys are not open.
  func attach(_ description: DeviceDescription, node: String) throws(SystemError) -> InputFeed? {
    try devices?.attach(description, node: node)
  }

  func shutDown() { devices?.shutDown() }

  /// The report about the input devices. Nil if the keys could not be opened.
  var report: InputReport? { devices?.report }

  /// The names of the touch screens that were removed since the start.
  var lostPointers: Set<String> { devices?.lostPointers ?? [] }

  /// The names of the devices with keys that were removed since the start.
  var lostKeys: Set<String> { devices?.lostKeys ?? [] }

  /// The bindings as a table. Wrong bindings are skipped, because they were reported when the configuration was
  /// checked.
  private static func table(_ settings: Settings) -> KeyTable {
    KeyTable(settings.keys.compactMap { try? KeyBinding($0) })
  }

  private func handle(_ press: InputDevices.Press) {
    target?.received(press.origin)
    send(press)
    turns.request()
  }

  private func handle(_ key: InputReport.UnknownKey) {
    outbox.put(.trace(.key("\(key.text) has no action", at: key.at.sinceOrigin)))
    guard key.count == 1 else { return }
    log(.keysUnknown, "\(key.text) has no action; see 'key' in autoharp.conf", at: key.at)
  }

  private func send(_ press: InputDevices.Press) {
    let command = press.command
    guard let request = self.request(command.request) else { return }
    port?.send(
      request, on: .keys(deviceNumber: press.deviceNumber), of: press.origin,
      isRepeat: command.isRepeat, pressed: command.pressed, at: command.at)
  }

  /// Returns the request to Now Playing, or nil for a move of the focus, which is sent to the screen. If the source
  /// does not offer the command, returns a request with a fixed value, which Now Playing refuses with a reason.
  private func request(_ request: KeyRequest) -> CommandRequest? {
    switch request {
    case .request(let request): return request
    case .focus(let move):
      outbox.put(.focus(move))
      return nil
    case .nextMode(let kind):
      return (center.state.command(kind)?.nextMode ?? Self.fixedRequest(kind)).map { .media($0) }
    }
  }

  private static func fixedRequest(_ kind: CommandKind) -> MediaRequest? {
    switch kind {
    case .changeShuffleMode: .changeShuffleMode(.items)
    case .changeRepeatMode: .changeRepeatMode(.all)
    case .like: .like(true)
    case .dislike: .dislike(true)
    case .bookmark: .bookmark(true)
    case .stars: .stars(1)
    default: nil
    }
  }
}

extension UnitLog {
  fileprivate func note(_ change: InputDevices.Change) {
    switch change {
    case .added(let name, let node, let bus):
      self(.keysAdded, "\(name) (\(node), \(bus))", at: .now())
    case .removed(let name): self(.keysRemoved, name, at: .now())
    case .refused(let path, let why): self(.keysRefused, "\(path): \(why)", at: .now())
    }
  }
}

extension InputReport.StuckKey {
  /// The key and the time for which it is held, such as `KEY_NEXTSONG of Steering Wheel for 1 min 30 s`.
  func text(at now: MonotonicInstant) -> String {
    "\(code) of \(device) for \(UnitFacts.time(now.awakeTime(since: since)))"
  }
}

// The facts about keys.
extension UnitKeys {
  /// The facts about keys for `status`.
  var facts: [FactsReport.Fact] {
    guard let report else {
      return [.init("keys", "could not be opened; see 'log'", .note)]
    }
    let now = MonotonicInstant.now()
    var facts: [FactsReport.Fact] = [.init("keys", Self.count(report))]
    if let problem = report.problem { facts.append(.init("watching", problem, .note)) }
    if !report.refused.isEmpty {
      let text = "\(report.refused.count), the first: \(report.refused[0].why); see 'keys'"
      facts.append(.init("cannot be read", text, .note))
    }
    for key in report.stuck {
      facts.append(.init("held", "\(key.text(at: now)); see 'diagnose'", .bad))
    }
    if let press = report.lastPress {
      let ago = UnitFacts.time(now.wholeTime(since: press.at))
      facts.append(.init("last press", "\(press.code) of \(press.device), \(ago) ago"))
    }
    return facts
  }

  /// The facts about keys and the details of the devices, for `keys`.
  var factsReport: FactsReport {
    let details = report.map { Self.details($0, .now()) } ?? []
    return FactsReport([.init("keys", facts)] + details)
  }

  private static func count(_ report: InputReport) -> String {
    let phones = report.devices.count { $0.isPassThrough }
    let count = report.devices.count
    return count == 0
      ? "no devices"
      : phones == 0 ? "devices: \(count)" : "devices: \(count), including \(phones) of phones"
  }

  private static func details(_ report: InputReport, _ now: MonotonicInstant)
    -> [FactsReport.Section]
  {
    let devices = report.devices.map { device in
      let kind = device.isPassThrough ? "a phone's" : device.bus
      let presses = device.presses == 1 ? "1 press" : "\(device.presses) presses"
      return FactsReport.Fact(
        device.node, "\(device.name); \(kind), \(device.known) known keys, \(presses)")
    }
    let others =
      report.refused.map { FactsReport.Fact($0.node, "cannot be read: \($0.why)", .note) }
      + report.unused.map { FactsReport.Fact($0.node, "\($0.name); not read: \($0.why)") }
    let unknown = report.unknown.reversed().map { key in
      let times = key.count == 1 ? "once" : "\(key.count) times"
      return FactsReport.Fact(
        "\(key.code)",
        "\(key.text), \(times), last \(UnitFacts.time(now.wholeTime(since: key.at))) ago")
    }
    return [
      .init("devices", devices), .init("not read", others),
      .init("pressed unknown keys", Array(unknown)),
    ].filter { !$0.facts.isEmpty }
  }
}
