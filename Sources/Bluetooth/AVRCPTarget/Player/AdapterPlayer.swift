internal import Bluez
internal import EventLoop
internal import NowPlaying

/// The AVRCP player on one adapter. Until the adapter is removed, this type registers the player with BlueZ, publishes
/// changes, and reads each published change back from the bus. Each adapter has its own player object. So the object
/// path of a call shows to which adapter the call belongs.
final class AdapterPlayer {
  enum Registration: Equatable {
    case none
    case pending
    case registered
    /// BlueZ did not accept the player. Another attempt follows.
    case refused(String)
  }

  private static let firstWait = Duration.seconds(1)
  private static let longestWait = Duration.seconds(30)

  /// The adapter, such as `hci0`.
  let adapter: String
  /// D-Bus object path of the player.
  let path: String
  private let client: BluezClient
  private let bus: Bus
  private let clock: () -> MonotonicInstant
  private(set) var registration = Registration.none
  /// Number of successful registrations.
  private(set) var registrations = 0
  /// Number of signals sent.
  private(set) var signalCount = 0
  /// Last state sent to BlueZ.
  private(set) var sent: PlayerSnapshot
  /// Last state read back from the bus.
  private(set) var confirmed: PlayerSnapshot
  private var matches: [BusMatch] = []
  private var timer: TimerSource?
  private var wait = firstWait
  /// Returns the current properties. Called at each registration.
  private let playerProperties: () -> (playerProperties: PlayerProperties, elapsed: Duration?)
  var onRegistered: (() -> Void)?
  var onRefused: ((String) -> Void)?
  /// Called when the signal of ``probe()`` has come back from the bus.
  var onProbed: (() -> Void)?

  init(
    _ client: BluezClient, _ bus: Bus, adapter: String, clock: @escaping () -> MonotonicInstant,
    playerProperties: @escaping () -> (playerProperties: PlayerProperties, elapsed: Duration?)
  ) {
    self.client = client
    self.bus = bus
    self.adapter = adapter
    self.clock = clock
    self.playerProperties = playerProperties
    path = PlayerObject.path(adapter)
    sent = PlayerSnapshot(at: clock())
    confirmed = sent
    listen()
    timer = TimerSource(client.loop, accuracy: .milliseconds(50)) { [weak self] in self?.register()
    }
  }

  func cancel() {
    timer?.cancel()
    for match in matches { match.cancel() }
    matches = []
    registration = .none
  }

  // MARK: Registering

  /// Registers the player, unless it is registered or a registration is in progress.
  func register() {
    guard registration != .registered, registration != .pending else { return }
    timer?.stop()
    registration = .pending
    let now = clock()
    let (playerProperties, elapsed) = playerProperties()
    let properties = PropertiesChange.registration(playerProperties, elapsed: elapsed, at: now)
    sent = PlayerSnapshot(at: now)
    sent.apply(properties, at: now)
    confirmed = sent
    client.registerPlayer(path, on: adapter, PlayerCoding.values(of: properties)) {
      [weak self] in self?.answered($0)
    }
  }

  private func answered(_ result: Result<Void, BusError>) {
    guard registration == .pending else { return }
    switch result {
    // `AlreadyExists` means that the player is registered already. That registration cannot be from an earlier run of
    // the daemon, because each run has its own unique name on the bus.
    case .success, .failure(.remote(name: BluezNames.alreadyExists, message: _)):
      registration = .registered
      registrations += 1
      wait = Self.firstWait
      onRegistered?()
    case .failure(let error):
      registration = .refused(error.description)
      timer?.set(after: wait)
      wait = min(wait * 2, Self.longestWait)
      onRefused?(error.description)
    }
  }

  /// Must be called when BlueZ has dropped the player. The next registration follows after a pause, because BlueZ drops
  /// the player also when the adapter is removed, and the removal takes a moment.
  func released() {
    registration = .none
    timer?.set(after: wait)
  }

  // MARK: Publishing

  /// True if signals reach BlueZ. BlueZ listens to the player as soon as BlueZ has read the call of the registration.
  /// The answer to this call can arrive later.
  private var reachesBluez: Bool { registration == .registered || registration == .pending }

  /// Sends the changes that bring BlueZ's state up to date.
  /// - Parameter resync: if true, the changes are computed from the state that was read back. If false, they are
  ///   computed from the state that was sent.
  func publish(_ playerProperties: PlayerProperties, elapsed: Duration?, resync: Bool = false) {
    guard reachesBluez else { return }
    let now = clock()
    if resync { sent = confirmed }
    let changes = PropertiesChange.changes(
      from: sent, to: playerProperties, elapsed: elapsed, at: now)
    guard !changes.isEmpty else { return }
    do {
      try bus.emitPropertiesChanged(path, PlayerCoding.interface, PlayerCoding.values(of: changes))
      signalCount += 1
      sent.apply(changes, at: now)
    } catch {
      // The bus connection is ending. `BusLink` handles the loss.
    }
  }

  // MARK: Reading back

  /// Sends a signal without properties. The bus delivers each signal of the player, also this one, to BlueZ and back to
  /// the unit. The signal contains no property, so BlueZ sends no notification to phones.
  func probe() {
    // The error is ignored: if the connection is ending, the probe does not come back, and so the test fails.
    try? bus.emitPropertiesChanged(path, PlayerCoding.interface, [])
  }

  /// Listens to the player's own signals, which the bus sends back.
  private func listen() {
    guard let name = bus.uniqueName else { return }
    let rule = MatchRule(
      sender: name, path: path, interface: BluezNames.properties, member: "PropertiesChanged")
    let match = try? bus.match(rule) { [weak self] message in
      guard let self, let values = try? message.body().values, values.count == 3 else { return }
      if values[1].entries?.isEmpty == true { onProbed?() }
      confirmed.apply(PlayerCoding.properties(values[1]), at: clock())
    }
    if let match { matches.append(match) }
  }
}
