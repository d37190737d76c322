internal import EventLoop
internal import NowPlaying
internal import Reports

/// Pairing: the window in which devices may be paired, the agent that bluetoothd asks, the
/// discovery of devices, and the bonds.
///
/// Control thread; never blocks.
final class Pairing {
  let client: BluezClient
  let clock: () -> MonotonicInstant
  var options: AVRCPTarget.Options {
    didSet { policy.pairsWithoutNumber = options.pairsWithoutNumber }
  }

  var policy: PairingPolicy
  let agent: PairingAgent
  /// Why bluetoothd does not accept the agent. Nil if it does.
  var agentRefusal: String?
  /// The question of bluetoothd that a person has to answer.
  var waiting: (device: String, answer: (String?) -> Void)?
  var timer: TimerSource?
  var search = Discovery()
  /// One at a time, because a radio that pages two devices connects to both more slowly.
  var adding: Adding?
  /// Object paths of devices that the unit pairs with, until a person has compared a number.
  var doubtful: Set<String> = []
  /// Object paths of devices whose bond is being removed.
  var unwanted: Set<String> = []

  /// Called after a change that the state or the report shows.
  var onChange: (() -> Void)?
  /// Called after anything that may have changed the head unit.
  var onActivity: (() -> Void)?
  /// Called when ``adding`` begins or ends.
  var onAdding: (() -> Void)?
  /// Called with a device that was paired from the unit, to be connected for the first time.
  var onPaired: ((BluezDevice) -> Void)?

  init(
    _ client: BluezClient, _ options: AVRCPTarget.Options, clock: @escaping () -> MonotonicInstant
  ) {
    self.client = client
    self.options = options
    self.clock = clock
    agent = PairingAgent(client)
    policy = PairingPolicy(pairsWithoutNumber: options.pairsWithoutNumber)
    timer = TimerSource(client.loop, accuracy: .milliseconds(20)) { [weak self] in self?.expire() }
    agent.onAsked = { [weak self] in self?.asked($0) }
    agent.onCancel = { [weak self] in self?.requestCancelled() }
    // Cannot fail: the path is valid.
    try? client.objects.add(agent.object)
    client.observe { [weak self] in self?.take($0) }
  }

  deinit { timer?.cancel() }

  private func take(_ event: BluezClient.Event) {
    switch event {
    case .serviceCame:
      registerAgent()
      judgeDoubtful()
    case .serviceWent:
      agent.forget()
      search.interrupt()
      endAdding("bluetoothd is gone")
      requestCancelled()
    case .canAskAgain: for adapter in client.adapters { adapterCame(adapter) }
    case .adapterCame(let adapter): adapterCame(adapter)
    case .adapterWent(let id): search.forget(id)
    case .adapterChanged(let adapter, let changed): adapterChanged(adapter, changed)
    case .deviceCame(let device): judge(device)
    case .deviceChanged(let device, let changed) where changed.contains(.bond): judge(device)
    case .deviceWent(let path, let address): deviceWent(path, address)
    default: break
    }
  }

  private func adapterCame(_ adapter: BluezAdapter) {
    client.set(.isPowered(true), of: adapter.id)
    showWindow(adapter.id)
  }

  private func adapterChanged(_ adapter: BluezAdapter, _ changed: Set<BluezAdapter.Property>) {
    if changed.contains(.power) {
      if adapter.isPowered { dropUnwanted() } else { search.forget(adapter.id) }
      showSearch(adapter.id)
    }
    // Another program has opened the window, or an earlier write that closes it was carried out
    // after the window was opened. In both cases, the values are written again.
    let isOpen = policy.isOpen(at: clock())
    let isOther =
      changed.contains(.discoverable) && adapter.isDiscoverable != isOpen
      || changed.contains(.pairable) && adapter.isPairable != isOpen
    if isOther { showWindow(adapter.id) }
  }

  private func deviceWent(_ path: String, _ address: String?) {
    unwanted.remove(path)
    doubtful.remove(path)
    if adding?.path == path { endAdding("it is gone") }
    if let address, policy.request?.address == address { requestCancelled() }
  }

  func registerAgent() {
    agent.register { [weak self] refusal in
      guard let self else { return }
      agentRefusal = refusal
      if let refusal { client.log(.agentRefused, "pairing is not possible: \(refusal)") }
    }
  }
}
