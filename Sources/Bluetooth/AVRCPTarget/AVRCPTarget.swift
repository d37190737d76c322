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

  /// Phones whose last use is remembered.
  package static let rememberedPhones = 8
  /// The surface that phones are.
  package static let surface: SurfaceID = "phone"

  /// How it behaves.
  package var options: Options {
    didSet {
      pairing.options = options
      player.options = options
      connections.options = options
    }
  }

  let client: BluezClient
  let player: BluezPlayer
  let pairing: Pairing
  let connections: Connections
  let radio: AdapterMonitor
  let clock: () -> MonotonicInstant
  private let center: NowPlayingCenter

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
  ///   - seed: of the random delays, which keep two units from dialling at the same moments.
  ///   - access: the way to controllers; nil for the program beside this one.
  ///   - clock: the machine's.
  package init(
    _ loop: EventLoop, _ center: NowPlayingCenter, bus: Bus.Address = .system,
    options: Options = Options(), lastUsed: [String] = [], seed: UInt64,
    access: (any RadioAccess)? = nil, clock: @escaping () -> MonotonicInstant
  ) {
    self.center = center
    self.options = options
    self.clock = clock
    let client = BluezClient(loop, bus: bus)
    // Each event reaches the parts in this order: a session takes the player that is there when it
    // begins, and a device is judged before it is dialled.
    player = BluezPlayer(client, center, options, clock: clock)
    let pairing = Pairing(client, options, clock: clock)
    connections = Connections(
      client, options,
      Connections.Rules(
        isWelcome: { pairing.isWelcome($0) },
        isPairing: { pairing.adding != nil },
        isStranger: { pairing.isStranger($0) }),
      lastUsed: Array(lastUsed.prefix(Self.rememberedPhones)), seed: seed, clock: clock)
    radio = AdapterMonitor(loop, access ?? ControllerReader(loop))
    self.client = client
    self.pairing = pairing
    connect()
  }

  deinit { radio.cancel() }

  /// Begins to look for a bus, and goes on until this object goes.
  package func start() { client.start() }

  /// Closes the window and ends what would outlive the daemon: phones can no more be paired.
  package func stop() { pairing.close() }

  /// Connects the parts with each other and with the callbacks.
  private func connect() {
    client.onLog = { [weak self] in self?.onLog?($0, $1) }
    client.observe { [weak self] _ in
      guard let self else { return }
      updateRadio()
      publish()
      onActivity?()
    }
    player.controlsSince = { [weak connections] in connections?.controlsSince[$0] }
    player.onChange = { [weak self] in self?.publish() }
    player.onActivity = { [weak self] in self?.onActivity?() }
    pairing.onChange = { [weak self] in self?.publish() }
    pairing.onActivity = { [weak self] in self?.onActivity?() }
    pairing.onAdding = { [weak self] in self?.connections.update() }
    pairing.onPaired = { [weak self] in self?.connections.begin($0) }
    connections.onChange = { [weak self] in self?.publish() }
    connections.onLastUsed = { [weak self] in self?.onLastUsed?($0) }
    connections.onAllGone = { [weak self] in self?.pauseIfWanted() }
    radio.onChange = { [weak self] in self?.publish() }
  }

  private func updateRadio() {
    let powered = Set(client.adapters.filter(\.isPowered).map(\.id))
    let linked = client.devices.filter { powered.contains($0.adapter) && $0.isConnected }
    radio.update(adapters: powered, connected: Set(linked.map(\.address)))
  }

  private func pauseIfWanted() {
    guard options.pausesWhenPhoneLeaves, center.state.status.isAdvancing else { return }
    player.send(.media(.pause), at: clock())
  }

  // MARK: What is there

  /// As it is now.
  package var state: PhonesState {
    func phone(_ device: BluezDevice) -> PhonesState.Phone {
      device.phone(radio.signal(of: device.address, on: device.adapter))
    }
    var state = PhonesState(service: client.service)
    state.adapters = client.adapters.map { adapter in
      adapter.state(
        hasPlayer: player.adapterPlayers[adapter.id]?.registration == .registered)
    }
    state.phones = connections.devices.filter { $0.isBonded || $0.isConnected }.map(phone)
    state.pairingUntil = pairing.policy.until?.sinceOrigin
    state.request = pairing.policy.request
    state.isSearching = pairing.search.isWanted
    state.adding = pairing.adding?.name
    state.found = pairing.found.map { $0.phone(nil) }
    return state
  }

  /// Calls ``onState`` with the state, if it is another one, once the present event is handled.
  private func publish() {
    guard !isPublishing else { return }
    isPublishing = true
    client.loop.defer { [weak self] in
      guard let self else { return }
      isPublishing = false
      let state = state
      guard state != published else { return }
      published = state
      onState?(state)
    }
  }
}
