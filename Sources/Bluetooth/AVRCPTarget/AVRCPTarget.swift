package import BluetoothController
package import Bluez
internal import EventLoop
package import NowPlaying
package import Reports

/// Connects the head unit to phones through BlueZ. The unit is an AVRCP target (TG), which phones control and read.
/// This type also pairs and reconnects phones. This type is the surface `phone` of the head unit. The surface is
/// connected as long as a player of the unit is registered with BlueZ.
///
/// Control thread; never blocks. The bus can start after the daemon, and the connection to the bus can be lost.
/// bluetoothd can end and start again. Adapters can be removed. After each of these events, this type repeats the setup
/// that was lost.
package final class AVRCPTarget {
  /// Options, which can be changed at any time.
  package struct Options: Hashable, Sendable {
    /// The name that phones show. If nil, the name is made from the address of the adapter.
    package var name: String?
    /// Limits for the lengths of the texts that phones read.
    package var limits = TextLimits.onePacket
    /// How long the pairing window stays open if a request names no time.
    package var pairingTime = Duration.seconds(120)
    /// True if the unit may pair with a device that cannot show a number.
    package var pairsWithoutNumber = false
    /// Some phones send PLAY by themselves directly after they have connected. If true, such a PLAY starts playback; if
    /// false, the unit ignores it. ``BluezPlayer/connectingTime`` is the longest time that counts as *directly*.
    package var obeysPlayOnConnect = false
    /// True if the unit dials phones by itself.
    package var reconnects = true
    /// If a phone sets a volume that is much higher than the volume of the unit, the unit raises its volume to at most
    /// this level.
    package var startVolumeMaximum = VolumeLevel.loudest
    /// True if the music pauses when the last phone disconnects.
    package var pausesWhenPhoneLeaves = false

    package init() {}
  }

  /// Maximum number of phones in the list of the last used phones.
  package static let rememberedPhones = 8
  /// Maximum number of devices in the list of the devices that have pressed a key.
  package static let rememberedControllers = 16
  /// Maximum number of addresses of devices whose pairing no person has confirmed.
  package static let rememberedUnconfirmed = 8
  /// The surface that represents all phones.
  package static let surface: SurfaceID = "phone"

  /// The options. They can be changed at any time.
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
  let adapterMonitor: AdapterMonitor
  let clock: () -> MonotonicInstant
  private let center: NowPlayingCenter

  private var published = PhonesState(service: .noBus)
  private var isPublishing = false

  /// Called after each change of the state.
  package var onState: ((PhonesState) -> Void)?
  /// Called after each event that may have changed the state or the deadlines of the head unit.
  package var onActivity: (() -> Void)?
  /// Called when the order of the last used phones changes. The parameter contains the addresses of these phones; the
  /// phone that was used last is the first.
  package var onLastUsed: (([String]) -> Void)?
  /// Called when the phone that is dialled first changes.
  package var onFirstChoice: ((String?) -> Void)?
  /// Returns whether a phone plays, and its app. `device` is the object path of the phone in BlueZ. The result is nil
  /// if the phone is not a source of sound. Call ``playingChanged()`` after each change of a result.
  package var playing: ((_ device: String) -> (plays: Bool, app: String?)?)?
  /// Plays a connected phone. `device` is the object path of the phone in BlueZ. Nil if phones cannot play.
  package var onPlay: ((_ device: String, @escaping (Refusal?) -> Void) -> Void)?
  /// Waits until a phone is connected, and then plays the phone.
  package var onAwait: ((_ address: String, _ name: String) -> Void)?
  /// Ends the wait of ``onAwait``, because the phone cannot be connected.
  package var onAwaitEnd: ((_ address: String) -> Void)?
  /// Called with the addresses of the devices whose bonds the next run of the daemon must remove, because no person has
  /// confirmed their pairing yet. Called when this set changes. The receiver calls `stored` when the addresses are on
  /// storage.
  package var onUnconfirmed: ((Set<String>, _ stored: @escaping () -> Void) -> Void)? {
    get { pairing.onMarks }
    set { pairing.onMarks = newValue }
  }
  /// Called with the address of a device whose bond is removed.
  package var onForgotten: ((String) -> Void)?
  /// Called when a device presses a key and the previous key was pressed on another device. The parameter contains the
  /// addresses of all devices that have pressed a key, the latest first.
  package var onControllers: (([String]) -> Void)?

  /// - Parameters:
  ///   - client: the connection to bluetoothd. The caller starts it.
  ///   - lastUsed: the addresses that ``onLastUsed`` received in its last call in the previous run of the daemon.
  ///   - controllers: the addresses that ``onControllers`` received in its last call in the previous run of the daemon.
  ///   - firstChoice: the address that ``onFirstChoice`` received last.
  ///   - unconfirmed: the addresses that ``onUnconfirmed`` received last.
  ///   - isStreaming: returns true while a phone streams. The unit then neither dials nor searches.
  ///   - seed: the seed of the random delays. Two units with different seeds do not dial at the same moments.
  ///   - access: reads controllers. If nil, this type uses the program `autoharp-controller` in the folder of the
  ///     running program.
  ///   - clock: returns the current time.
  package init(
    _ client: BluezClient, _ center: NowPlayingCenter, options: Options = Options(),
    lastUsed: [String] = [],
    controllers: [String] = [], firstChoice: String? = nil, unconfirmed: [String] = [],
    isStreaming: @escaping () -> Bool = { false }, seed: UInt64,
    access: (any ControllerReader)? = nil,
    clock: @escaping () -> MonotonicInstant
  ) {
    self.center = center
    self.options = options
    self.clock = clock
    // Each event reaches the parts in the order in which they are created here. The player comes first, because an
    // AVRCP session of bluetoothd uses the player that is registered when the session begins. Pairing comes before the
    // connections, so that a device is checked before it is dialled.
    player = BluezPlayer(client, center, options, clock: clock)
    let pairing = Pairing(
      client, options, marks: unconfirmed, isStreaming: isStreaming, clock: clock)
    connections = Connections(
      client, options,
      Connections.Rules(
        isPermitted: { pairing.isPermitted($0) },
        isPairing: { pairing.adding != nil },
        isRefused: { pairing.isRefused($0) }, isStreaming: isStreaming),
      lastUsed: Array(lastUsed.prefix(Self.rememberedPhones)),
      controllers: Array(controllers.prefix(Self.rememberedControllers)), firstChoice: firstChoice,
      seed: seed, clock: clock)
    adapterMonitor = AdapterMonitor(client.loop, access ?? ControllerProgram(client.loop))
    self.client = client
    self.pairing = pairing
    connect()
  }

  deinit { adapterMonitor.cancel() }

  /// Closes the pairing window, so that no phone can be paired after the daemon has ended.
  package func stop() { pairing.close() }

  /// Connects the parts with each other and with the callbacks.
  private func connect() {
    client.observe { [weak self] _ in
      guard let self else { return }
      publish()
      onActivity?()
    }
    player.controlsSince = { [weak connections] in connections?.controlsSince[$0] }
    player.controllers = { [weak connections] in connections?.controllers ?? [] }
    player.onPress = { [weak connections] in connections?.pressed($0) }
    player.onChange = { [weak self] in self?.publish() }
    player.onActivity = { [weak self] in self?.onActivity?() }
    pairing.onChange = { [weak self] in self?.publish() }
    pairing.onActivity = { [weak self] in self?.onActivity?() }
    pairing.onAdding = { [weak self] in self?.connections.update() }
    pairing.onPaired = { [weak self] in self?.connections.begin($0) }
    connections.onUpdate = { [weak adapterMonitor] in
      adapterMonitor?.update(adapters: $0, connected: $1)
    }
    connections.onChange = { [weak self] in self?.publish() }
    connections.onLastUsed = { [weak self] in self?.onLastUsed?($0) }
    connections.onFirstChoice = { [weak self] in self?.onFirstChoice?($0) }
    connections.onControllers = { [weak self] in self?.onControllers?($0) }
    connections.onLastDisconnected = { [weak self] in self?.pauseIfConfigured() }
    adapterMonitor.onChange = { [weak self] in self?.publish() }
  }

  /// Must be called when a result of ``playing`` has changed. Publishes the new state.
  package func playingChanged() { publish() }

  /// Must be called when a phone begins or ends a stream.
  package func streamChanged(of address: String, isStreaming: Bool) {
    if isStreaming { connections.noteUse(of: address) }
    connections.update()
    pairing.updateDiscoveries()
  }

  private func pauseIfConfigured() {
    guard options.pausesWhenPhoneLeaves, center.state.status.isAdvancing else { return }
    player.send(.media(.pause), at: clock())
  }

  // MARK: State

  /// The current state.
  package var state: PhonesState {
    func phone(_ device: BluezDevice) -> PhonesState.Phone {
      var phone = device.phone(
        adapterMonitor.signal(of: device.address, on: device.adapter),
        hasPressedKey: connections.controllers.contains(device.address))
      let playing = playing?(device.path)
      phone.plays = playing?.plays ?? false
      phone.app = playing?.app
      phone.isFirstChoice = device.address == connections.firstChoice
      phone.lastSeen = connections.lastSeen[device.address]?.sinceOrigin
      return phone
    }
    var state = PhonesState(service: client.service)
    state.adapters = client.adapters.map { adapter in
      adapter.state(
        hasPlayer: player.adapterPlayers[adapter.id]?.registration == .registered)
    }
    state.phones = connections.devices.filter { $0.isBonded || $0.isConnected }.map(phone)
    state.pairingUntil = pairing.policy.until?.sinceOrigin
    state.request = pairing.policy.request
    state.isSearching = pairing.discovery.isRequested
    state.adding = pairing.adding?.name
    state.found = pairing.found.map { $0.phone(nil) }
    return state
  }

  /// Calls ``onState`` after the current event is handled, if the state has changed.
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
