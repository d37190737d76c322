internal import EventLoop
internal import NowPlaying

/// The AVRCP player on one adapter. It registers with BlueZ, publishes changes, and verifies them until
/// the adapter is removed. Each adapter has an object of its own, so a call says where it came from.
final class AdapterPlayer {
  enum Registration: Equatable {
    case none
    case asked
    case registered
    /// BlueZ did not want it; another attempt follows.
    case refused(String)
  }

  private static let firstWait = Duration.seconds(1)
  private static let longestWait = Duration.seconds(30)

  /// `hci0`.
  let adapter: String
  /// D-Bus object path of the player.
  let path: String
  private let client: BluezClient
  private let bus: Bus
  private let clock: () -> MonotonicInstant
  private(set) var registration = Registration.none
  /// How often it was registered.
  private(set) var registrations = 0
  /// Signals that went out.
  private(set) var signalCount = 0
  /// Last state sent to BlueZ.
  private(set) var sent: PlayerSnapshot
  /// Last state read back from the bus.
  private(set) var confirmed: PlayerSnapshot
  private var matches: [BusMatch] = []
  private var timer: TimerSource?
  private var wait = firstWait
  /// What to register with, at the moment of asking.
  private let playerProperties: () -> (playerProperties: PlayerProperties, elapsed: Duration?)
  var onRegistered: (() -> Void)?
  var onRefused: ((String) -> Void)?

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

  /// Registers it, unless it is registered or asked for.
  func register() {
    guard registration != .registered, registration != .asked else { return }
    timer?.stop()
    registration = .asked
    let now = clock()
    let (playerProperties, elapsed) = playerProperties()
    let properties = PropertiesChange.registration(playerProperties, elapsed: elapsed, at: now)
    sent = PlayerSnapshot(at: now)
    sent.take(properties, at: now)
    confirmed = sent
    client.registerPlayer(path, on: adapter, PlayerCoding.values(of: properties)) {
      [weak self] in self?.answered($0)
    }
  }

  private func answered(_ result: Result<Void, BusError>) {
    guard registration == .asked else { return }
    switch result {
    // It is there already: a restart of ours that BlueZ has not noticed cannot be, as its name on
    // the bus is another one then.
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

  /// BlueZ has dropped it. It is asked again a little later, as an adapter that goes takes a moment.
  func released() {
    registration = .none
    timer?.set(after: wait)
  }

  // MARK: Telling

  /// Whether signals reach BlueZ's picture: it listens from the moment at which it read the call.
  private var isHeard: Bool { registration == .registered || registration == .asked }

  /// Says what makes BlueZ's picture true.
  /// - Parameter resync: takes the state that was read back as the truth.
  func tell(_ playerProperties: PlayerProperties, elapsed: Duration?, resync: Bool = false) {
    guard isHeard else { return }
    let now = clock()
    if resync { sent = confirmed }
    let changes = PropertiesChange.changes(
      from: sent, to: playerProperties, elapsed: elapsed, at: now)
    guard !changes.isEmpty else { return }
    do {
      try bus.emitPropertiesChanged(path, PlayerCoding.interface, PlayerCoding.values(of: changes))
      signalCount += 1
      sent.take(changes, at: now)
    } catch {
      // The bus is going; whoever watches it sees that.
    }
  }

  // MARK: What came back

  /// Our own signals, as the bus passes them on.
  private func listen() {
    guard let name = bus.uniqueName else { return }
    let rule = MatchRule(
      sender: name, path: path, interface: BluezNames.properties, member: "PropertiesChanged")
    let match = try? bus.match(rule) { [weak self] message in
      guard let self, let values = try? message.body().values, values.count == 3 else { return }
      confirmed.take(PlayerCoding.properties(values[1]), at: clock())
    }
    if let match { matches.append(match) }
  }
}
