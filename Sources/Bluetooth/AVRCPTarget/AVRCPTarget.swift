package import BluetoothRadio
package import EventLoop
package import NowPlaying
package import Reports

/// Phones, over BlueZ: the unit is a target (TG) that phones control and read, it pairs them, and
/// finds them again. It is a surface of the head unit as any other, `phone`, which is there while
/// BlueZ has our player.
///
/// Control thread; nothing in it waits. The bus may come late or go, bluetoothd may end and begin,
/// adapters may be pulled: each is an event, after which all that is needed is done again.
package final class AVRCPTarget {
  /// How it behaves; may be changed while it runs.
  package struct Options: Hashable, Sendable {
    /// How long texts may be.
    package var limits = TextLimits.onePacket
    /// How long phones may be paired, where nobody says how long.
    package var pairingTime = Duration.seconds(120)
    /// Whether a device that can show no number may be paired.
    package var pairsWithoutNumber = false
    /// Whether a PLAY that comes within ``connectingTime`` of its phone is obeyed.
    package var obeysPlayOnConnect = false
    /// Whether phones are dialled.
    package var reconnects = true
    /// Whether the music pauses when the last phone leaves.
    package var pausesWhenPhoneLeaves = false

    /// The defaults.
    package init() {}
  }

  /// A PLAY that comes so soon after its phone is the phone's own idea.
  package static let connectingTime = Duration.seconds(3)
  /// Phones whose last use is remembered.
  package static let rememberedPhones = 8
  /// Commands that are kept for `bt`.
  static let pressesKept = 20

  /// The surface that phones are.
  package static let surface: SurfaceID = "phone"

  let loop: EventLoop
  let center: NowPlayingCenter
  let clock: () -> MonotonicInstant
  let link: BusLink
  var bus: Bus?
  var watch: BluezMonitor?
  /// How it behaves.
  package var options: Options {
    didSet { optionsChanged() }
  }

  // The player.
  var adapterPlayers: [String: AdapterPlayer] = [:]
  var port: SurfacePort?
  var token: Int?
  var checkTimer: TimerSource?
  var isRepairing = false
  /// Volume in BlueZ's 128 steps, by transport.
  var volumes: [String: Int] = [:]
  var presses: [Press] = []
  var pressCount = 0

  // Pairing.
  var pairingPolicy: PairingPolicy
  var agent: PairingAgent?
  var agentRefusal: String?
  var waiting: (device: String, answer: (String?) -> Void)?
  var pairingTimer: TimerSource?
  var busyTimer: TimerSource?
  var busyAnswers = 0
  var search = Discovery()
  /// One at a time: a radio that pages two finds neither soon.
  var adding: Adding?
  /// Devices that the unit pairs with, as long as nobody has compared a number.
  var doubtful: Set<String> = []
  /// Devices whose bond is being undone.
  var unwanted: Set<String> = []

  // Phones.
  let radio: AdapterMonitor
  var plan: ReconnectPlan
  var dialTimer: TimerSource?
  var dialling: PendingCall?
  /// Since when the remote control of a phone is connected; kept for as long as its link.
  var controlsSince: [String: MonotonicInstant] = [:]
  var lossReasons: [String: ReconnectPlan.Loss] = [:]
  var lastUsed: [String]

  private var published = PhonesState(service: .noBus)
  private var isPublishing = false

  /// Called with each new state.
  package var onState: ((PhonesState) -> Void)?
  /// Called with each line for the log.
  package var onLog: ((LogLine.Severity, String) -> Void)?
  /// Called after anything that may have changed the head unit: deadlines may be others.
  package var onActivity: (() -> Void)?
  /// Called with the addresses of phones, last used first, when that order changes.
  package var onLastUsed: (([String]) -> Void)?

  /// Does nothing until ``start()``.
  /// - Parameters:
  ///   - bus: where bluetoothd is.
  ///   - lastUsed: what ``onLastUsed`` gave before.
  ///   - seed: of the dice that keep two units from dialling at the same moments.
  ///   - access: the way to controllers; nil for the program beside this one.
  ///   - clock: the machine's.
  package init(
    _ loop: EventLoop, _ center: NowPlayingCenter, bus: Bus.Address = .system,
    options: Options = Options(), lastUsed: [String] = [], seed: UInt64,
    access: (any RadioAccess)? = nil, clock: @escaping () -> MonotonicInstant
  ) {
    self.loop = loop
    self.center = center
    self.options = options
    self.lastUsed = Array(lastUsed.prefix(Self.rememberedPhones))
    self.clock = clock
    link = BusLink(loop, bus)
    radio = AdapterMonitor(loop, access ?? ControllerReader(loop))
    pairingPolicy = PairingPolicy(pairsWithoutNumber: options.pairsWithoutNumber)
    plan = ReconnectPlan(seed: seed)
    checkTimer = timer { $0.check() }
    pairingTimer = timer { $0.expirePairing() }
    dialTimer = timer { $0.dial() }
    busyTimer = timer { $0.askAgain() }
    radio.onChange = { [weak self] in self?.publish() }
    link.onUp = { [weak self] in self?.busCame($0) }
    link.onDown = { [weak self] in self?.busWent() }
  }

  deinit {
    for source in [checkTimer, pairingTimer, busyTimer, dialTimer] { source?.cancel() }
    watch?.cancel()
    radio.cancel()
    for adapterPlayer in adapterPlayers.values { adapterPlayer.cancel() }
    port?.disconnect(at: clock())
  }

  /// Begins to look for a bus, and goes on until this object goes.
  package func start() { link.start() }

  /// Closes the window and ends what would outlive the daemon: phones can no more be paired.
  package func stop() {
    closePairing()
  }

  private func timer(_ handler: @escaping (AVRCPTarget) -> Void) -> TimerSource {
    TimerSource(loop, accuracy: .milliseconds(20)) { [weak self] in
      if let self { handler(self) }
    }
  }

  func log(_ severity: LogLine.Severity, _ text: String) { onLog?(severity, text) }

  // MARK: What is there

  /// As it is now.
  package var state: PhonesState {
    var state = PhonesState(service: service)
    state.adapters = adapters.map { id in
      let properties = watch?[BluezNames.path(ofAdapter: id), BluezNames.adapter] ?? [:]
      return PhonesState.Adapter(
        id: id, address: properties["Address"]?.text ?? "",
        name: properties["Alias"]?.text ?? "", isPowered: properties["Powered"]?.flag ?? false,
        isDiscoverable: properties["Discoverable"]?.flag ?? false,
        isPairable: properties["Pairable"]?.flag ?? false,
        hasPlayer: adapterPlayers[id]?.registration == .registered)
    }
    state.phones = devices.filter { $0.isBonded || $0.isConnected }.map { device in
      device.phone(radio.signal(of: device.address, on: device.adapter))
    }
    state.pairingUntil = pairingPolicy.until?.sinceOrigin
    state.request = pairingPolicy.request
    state.isSearching = search.isWanted
    state.adding = adding?.name
    state.found = found
    return state
  }

  private var service: PhonesState.Service {
    guard bus != nil else { return .noBus }
    guard let watch, watch.isKnown else { return .noService }
    return adapters.isEmpty ? .noAdapter : .ready
  }

  /// `hci0`, …
  var adapters: [String] {
    (watch?.paths(with: BluezNames.adapter) ?? []).map(BluezDevice.adapter)
  }

  /// Connected ones first, then by last use, then by name.
  var devices: [BluezDevice] {
    let all = (watch?.paths(with: BluezNames.device) ?? []).compactMap { path in
      BluezDevice(path, in: watch)
    }
    func rank(_ device: BluezDevice) -> (Int, Int, String) {
      (
        device.isConnected ? 0 : 1, lastUsed.firstIndex(of: device.address) ?? .max,
        device.address
      )
    }
    return all.sorted { rank($0) < rank($1) }
  }

  /// Tells of the state, if it is another one, once what is going on has come to its end.
  func publish() {
    guard !isPublishing else { return }
    isPublishing = true
    loop.defer { [weak self] in
      guard let self else { return }
      isPublishing = false
      let state = state
      guard state != published else { return }
      published = state
      onState?(state)
    }
  }

  // MARK: Options

  private func optionsChanged() {
    pairingPolicy.pairsWithoutNumber = options.pairsWithoutNumber
    tell(center.state)
    updatePlan()
  }
}
