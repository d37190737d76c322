internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

/// Manages the window in which devices may be paired, the agent that bluetoothd calls, the
/// discovery of devices, and the bonds.
///
/// Control thread; never blocks.
final class Pairing {
  let client: BluezClient
  let clock: () -> MonotonicInstant
  var options: AVRCPTarget.Options {
    didSet {
      policy.pairsWithoutNumber = options.pairsWithoutNumber
      if options.name != oldValue.name { client.adapters.forEach(setName) }
    }
  }

  var policy: PairingPolicy
  let agent: PairingAgent
  /// The reason why bluetoothd does not accept the agent. Nil if bluetoothd accepts the agent.
  var agentError: String?
  /// The question of bluetoothd that a person has to answer.
  var pending: (device: String, answer: (PairingFailure?) -> Void)?
  var timer: TimerSource?
  var discovery = Discovery()
  /// The device that is being paired. At most one device is paired at a time, because a controller that
  /// pages two devices connects to both more slowly.
  var adding: Adding?
  /// Object paths of devices that the unit is pairing with and whose number no person has confirmed
  /// yet.
  var unconfirmed: Set<String> = [] { didSet { updateMarks() } }
  /// Object paths of devices whose bond is being removed.
  var bondsToRemove: Set<String> = [] { didSet { updateMarks() } }
  /// Addresses of devices that an earlier run of the daemon was pairing with when it died.
  var interrupted: Set<String> { didSet { updateMarks() } }
  /// The last argument of ``onMarks``.
  var marks: Set<String>
  /// Called when the devices change whose bonds the next run of the daemon removes, with their
  /// addresses. The receiver calls the function when they are on storage.
  var onMarks: ((Set<String>, _ stored: @escaping () -> Void) -> Void)?

  /// Called after a change of data that is part of the state or of the report.
  var onChange: (() -> Void)?
  /// Called after each event that may have changed the state of the head unit.
  var onActivity: (() -> Void)?
  /// Called at the beginning and at the end of a pairing that the unit has started.
  var onAdding: (() -> Void)?
  /// Called with a device that was paired from the unit. The unit then connects to the device for
  /// the first time.
  var onPaired: ((BluezDevice) -> Void)?

  /// True while a phone streams.
  let isStreaming: () -> Bool

  init(
    _ client: BluezClient, _ options: AVRCPTarget.Options, marks: [String] = [],
    isStreaming: @escaping () -> Bool = { false }, clock: @escaping () -> MonotonicInstant
  ) {
    self.client = client
    self.isStreaming = isStreaming
    self.options = options
    interrupted = Set(marks)
    self.marks = interrupted
    self.clock = clock
    agent = PairingAgent(client)
    policy = PairingPolicy(pairsWithoutNumber: options.pairsWithoutNumber)
    timer = TimerSource(client.loop, accuracy: .milliseconds(20)) { [weak self] in self?.expire() }
    agent.onRequest = { [weak self] in self?.handleRequest($0) }
    agent.onCancel = { [weak self] in self?.requestCancelled() }
    // `add` cannot fail here, because the path is valid.
    try? client.objects.add(agent.object)
    client.observe { [weak self] in self?.handle($0) }
  }

  deinit { timer?.cancel() }

  private func handle(_ event: BluezClient.Event) {
    switch event {
    case .serviceStarted:
      registerAgent()
      checkUnconfirmedBonds()
    case .serviceEnded:
      agent.forget()
      discovery.interrupt()
      endAdding(.serviceEnded)
      requestCancelled()
    case .canRetry: for adapter in client.adapters { adapterAdded(adapter) }
    case .adapterAdded(let adapter): adapterAdded(adapter)
    case .adapterRemoved(let id): discovery.forget(id)
    case .adapterChanged(let adapter, let changed): adapterChanged(adapter, changed)
    case .deviceAdded(let device): checkBond(device)
    case .deviceChanged(let device, let changed):
      if changed.contains(.address) { updateMarks() }
      if changed.contains(.bond) { checkBond(device) }
    case .deviceRemoved(let path, let address): deviceRemoved(path, address)
    default: break
    }
  }

  private func adapterAdded(_ adapter: BluezAdapter) {
    client.set(.isPowered(true), of: adapter.id)
    setName(of: adapter)
    applyWindow(adapter.id)
  }

  /// The name has the last two bytes of the address, such as `Autoharp 2E01`, unless people have chosen one.
  func setName(of adapter: BluezAdapter) {
    let suffix = adapter.address.split(separator: ":").suffix(2).joined()
    client.set(.name(options.name ?? "Autoharp \(suffix)"), of: adapter.id)
  }

  private func adapterChanged(_ adapter: BluezAdapter, _ changed: Set<BluezAdapter.Property>) {
    if changed.contains(.power) {
      if adapter.isPowered { retryBondRemovals() } else { discovery.forget(adapter.id) }
      updateDiscovery(adapter.id)
    }
    // If a flag of the adapter does not match the state of the window, the values are written
    // again. There are two possible reasons: another program has changed the adapter, or bluetoothd
    // has carried out an earlier write only now.
    let isOpen = policy.isOpen(at: clock())
    let isOther =
      changed.contains(.discoverable) && adapter.isDiscoverable != isOpen
      || changed.contains(.pairable) && adapter.isPairable != isOpen
    if isOther { applyWindow(adapter.id) }
  }

  private func deviceRemoved(_ path: String, _ address: String?) {
    bondsToRemove.remove(path)
    unconfirmed.remove(path)
    if adding?.path == path { endAdding(.deviceRemoved) }
    if let address, policy.request?.address == address { requestCancelled() }
  }

  func registerAgent() {
    agent.register { [weak self] error in
      guard let self else { return }
      agentError = error
      if let error { client.log(.agentRefused, "pairing is not possible: \(error)") }
    }
  }
}
