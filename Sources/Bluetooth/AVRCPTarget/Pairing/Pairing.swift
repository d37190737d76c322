internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

/// Manages the window in which devices may be paired, the agent that bluetoothd calls, the discovery of devices, and
/// the bonds.
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
  private var timer: TimerSource?
  var discovery = Discovery()
  /// The device that is being paired. At most one device is paired at a time, because a controller that pages two
  /// devices connects to both more slowly.
  var adding: Adding?
  /// Object paths of devices that the unit is pairing with and whose number no person has confirmed yet.
  var unconfirmed: Set<String> = [] { didSet { updateMarks() } }
  /// Object paths of devices whose bond is being removed.
  private var bondsToRemove: Set<String> = [] { didSet { updateMarks() } }
  /// Addresses of devices that an earlier run of the daemon was pairing with when it died.
  var interrupted: Set<String> { didSet { updateMarks() } }
  /// The set of addresses that ``onMarks`` received last.
  var marks: Set<String>
  /// Called with the addresses of the devices whose bonds the next run of the daemon must remove. Called when this set
  /// changes. The receiver calls `stored` when the addresses are on storage.
  var onMarks: ((Set<String>, _ stored: @escaping () -> Void) -> Void)?

  /// Called after a change of data that is part of the state or of the report.
  var onChange: (() -> Void)?
  /// Called after each event that may have changed the state of the head unit.
  var onActivity: (() -> Void)?
  /// Called at the beginning and at the end of a pairing that the unit has started.
  var onAdding: (() -> Void)?
  /// Called with a device that was paired from the unit. The unit then connects to the device for the first time.
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

  /// Sets the name from the options. If the options contain no name, the name ends with the last two bytes of the
  /// address, such as `Autoharp 2E01`.
  private func setName(of adapter: BluezAdapter) {
    let suffix = adapter.address.split(separator: ":").suffix(2).joined()
    client.set(.name(options.name ?? "Autoharp \(suffix)"), of: adapter.id)
  }

  private func adapterChanged(_ adapter: BluezAdapter, _ changed: Set<BluezAdapter.Property>) {
    if changed.contains(.power) {
      if adapter.isPowered { retryBondRemovals() } else { discovery.forget(adapter.id) }
      updateDiscovery(adapter.id)
    }
    // If a flag of the adapter does not match the state of the window, the values are written again. There are two
    // possible reasons: another program has changed the adapter, or bluetoothd has carried out an earlier write only
    // now.
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

  private func registerAgent() {
    agent.register { [weak self] error in
      guard let self else { return }
      agentError = error
      if let error { client.log(.agentRefused, "pairing is not possible: \(error)") }
    }
  }

  // MARK: The pairing window

  /// - Parameters:
  ///   - time: how long the window stays open. If nil, the time in the configuration is used.
  ///   - discovers: true if devices are discovered while the window is open. This value replaces the value of an
  ///     earlier request.
  /// - Returns: the reason why the window cannot be opened; nil after success.
  func open(for time: Duration?, discovers: Bool) -> Refusal? {
    switch client.service {
    case .off, .noBus: return Refusal(.noSystemBus, "there is no system bus yet")
    case .noService: return .bluetoothdIsNotRunning
    case .noAdapter:
      return Refusal(.noAdapter, "there is no Bluetooth adapter", remedy: "connect an adapter")
    case .ready: break
    }
    if let agentError {
      registerAgent()
      return Refusal(
        .noPairingAgent, "bluetoothd does not accept the pairing agent: \(agentError)",
        remedy: "try again")
    }
    var time = time ?? options.pairingTime
    if adding != nil { time = max(time, Self.addingTime) }
    discovery.isRequested = discovers
    policy.open(for: time, at: clock())
    client.log(.pairingOpened, "phones can pair for \(time.components.seconds) s")
    applyWindows()
    windowChanged()
    return nil
  }

  func close() {
    guard policy.until != nil || policy.request != nil else { return }
    policy.close()
    discovery.isRequested = false
    client.log(.pairingClosed, "pairing is closed")
    cancelAdding(.windowClosed)
    answerPending(.windowClosed)
    applyWindows()
    windowChanged()
  }

  func expire() {
    let hadRequest = policy.request != nil
    if policy.expire(at: clock()) {
      if policy.until == nil {
        discovery.isRequested = false
        cancelAdding(.timedOut)
      }
      if hadRequest, policy.request == nil { answerPending(.noAnswerAtUnit) }
      applyWindows()
    }
    windowChanged()
  }

  func windowChanged() {
    if let deadline = policy.nextDeadline {
      timer?.set(after: deadline.wholeTime(since: clock()))
    } else {
      timer?.stop()
    }
    onChange?()
  }

  func applyWindows() {
    for adapter in client.adapters { applyWindow(adapter.id) }
  }

  /// Makes an adapter discoverable and pairable if the window is open. Makes it neither discoverable nor pairable if
  /// the window is closed. bluetoothd also receives the remaining time, so it closes the window even if this daemon has
  /// crashed.
  private func applyWindow(_ adapter: String) {
    let now = clock()
    let isOpen = policy.isOpen(at: now)
    if isOpen, let until = policy.until {
      let seconds = UInt32(clamping: until.wholeTime(since: now).components.seconds + 2)
      client.set(.pairableTime(seconds), of: adapter)
      client.set(.discoverableTime(seconds), of: adapter)
    }
    client.set(.isPairable(isOpen), of: adapter)
    client.set(.isDiscoverable(isOpen), of: adapter)
    updateDiscovery(adapter)
  }

  // MARK: Questions

  private func handleRequest(_ agentRequest: PairingAgent.AgentRequest) {
    let device = client.device(at: agentRequest.device)
    let address = device?.address ?? agentRequest.device
    let name = device?.name ?? "unknown"
    let decision = policy.decide(
      agentRequest.question, address: address, name: name,
      isBonded: device.map { $0.isBonded && isPermitted($0) } ?? false, at: clock())
    switch decision {
    case .accept: agentRequest.answer(nil)
    case .refuse(let failure):
      client.log(
        .pairingRefused, "\(name) (\(address)) is refused (\(failure.code)): \(failure)")
      agentRequest.answer(failure)
    case .ask(let request):
      client.log(
        .pairingAsked,
        "\(name) (\(address)) requests pairing"
          + (request.passkey.map { " with the number \($0)" } ?? " without a number"))
      pending = (agentRequest.device, agentRequest.answer)
    }
    windowChanged()
    onActivity?()
  }

  /// Answers the pairing request of a phone.
  /// - Returns: the reason why the request cannot be answered; nil after success.
  func answer(_ number: Int, accepts: Bool) -> Refusal? {
    guard let request = policy.request, policy.answered(number) else {
      return Refusal(.noPairingRequest, "the phone no longer requests pairing")
    }
    client.log(
      accepts ? .pairingAccepted : .pairingRejected,
      "the pairing of \(request.name) (\(request.address)) was "
        + (accepts ? "accepted" : "rejected"))
    if accepts, request.passkey != nil, let pending { numberConfirmed(pending.device) }
    answerPending(accepts ? nil : .rejectedAtUnit)
    windowChanged()
    return nil
  }

  /// Drops the request of a phone. Called when the phone or bluetoothd has cancelled the request, when the device was
  /// removed, and when bluetoothd has ended.
  private func requestCancelled() {
    if let request = policy.request {
      client.log(
        .pairingWithdrawn, "\(request.name) (\(request.address)) has cancelled the pairing")
    }
    policy.withdraw()
    answerPending(.cancelled)
    windowChanged()
  }

  /// Answers the pending request of bluetoothd. If `failure` is nil, the request is accepted, otherwise rejected.
  private func answerPending(_ failure: PairingFailure?) {
    let answer = pending?.answer
    pending = nil
    answer?(failure)
  }

  // MARK: Bonds

  /// Marks a bonded device as trusted, so that the device can connect without a question to the agent. If the device is
  /// not permitted, its bond is removed instead.
  private func checkBond(_ device: BluezDevice) {
    guard device.isBonded else { return }
    guard isPermitted(device) else {
      removeBond(device)
      if adding?.path == device.path { endAdding(.noNumber) }
      return
    }
    interrupted.subtract(device.addresses)
    guard !device.isTrusted else { return }
    client.log(.devicePaired, "\(device.name) (\(device.address)) is paired")
    client.trust(device)
  }

  /// True if a bonded device may keep its bond. If the unit starts the pairing and the device cannot show a number,
  /// BlueZ pairs without calling the agent. Such a bond is permitted only if the configuration permits it.
  func isPermitted(_ device: BluezDevice) -> Bool {
    !bondsToRemove.contains(device.path)
      && (options.pairsWithoutNumber
        || !unconfirmed.contains(device.path) && interrupted.isDisjoint(with: device.addresses))
  }

  /// True if a device that connects now is refused, because the device is not bonded and the window is closed.
  /// bluetoothd then does not pair with the device and does not call the agent.
  func isRefused(_ device: BluezDevice) -> Bool {
    !device.isBonded && !policy.isOpen(at: clock())
  }

  /// Must be called when a person has confirmed that the device and the unit show the same number.
  private func numberConfirmed(_ path: String) {
    unconfirmed.remove(path)
    interrupted.subtract(addresses(of: path))
    bondsToRemove.remove(path)
  }

  /// Must be called when bluetoothd has started again. Removes the bonds that were made before bluetoothd ended and
  /// whose number no person has confirmed, except if the configuration permits such bonds.
  private func checkUnconfirmedBonds() {
    if !options.pairsWithoutNumber { bondsToRemove.formUnion(unconfirmed) }
    unconfirmed = []
    retryBondRemovals()
  }

  /// Repeats removals that failed because the adapter was off or bluetoothd had ended.
  private func retryBondRemovals() {
    for path in bondsToRemove {
      if let device = client.device(at: path) {
        removeBond(device)
      } else {
        bondsToRemove.remove(path)
      }
    }
  }

  /// Removes a bond. Until the bond is removed, the device must not use a service and is not dialled.
  func removeBond(_ device: BluezDevice) {
    bondsToRemove.insert(device.path)
    client.remove(device) { [weak self] result in
      guard let client = self?.client else { return }
      guard case .failure(let error) = result, client.device(at: device.path) != nil else {
        self?.interrupted.subtract(device.addresses)
        return
      }
      client.log(
        .bondNotRemoved,
        "the bond of \(device.name) (\(device.address)) cannot be removed: \(error)")
    }
  }

  // MARK: Marks on storage

  /// Stores the addresses of the devices about whose bonds this run has not decided yet. If this run dies, the next run
  /// removes these bonds. `stored` is called when the addresses are on storage.
  func updateMarks(stored: (() -> Void)? = nil) {
    let paths = options.pairsWithoutNumber ? bondsToRemove : bondsToRemove.union(unconfirmed)
    let current = Set(paths.flatMap(addresses))
    let left = max(0, AVRCPTarget.rememberedUnconfirmed - current.count)
    let new = current.union(interrupted.subtracting(current).sorted().prefix(left))
    guard let onMarks, new != marks || stored != nil && !new.isEmpty else {
      marks = new
      stored?()
      return
    }
    marks = new
    onMarks(new) { stored?() }
  }

  private func addresses(of path: String) -> Set<String> {
    client.device(at: path)?.addresses ?? BluezDevice.address(inPath: path).map { [$0] } ?? []
  }
}

extension BluezDevice {
  /// The address of the device, and the address in its object path. If a private address changes during pairing, the
  /// object path keeps the old address.
  fileprivate var addresses: Set<String> {
    Set([address, Self.address(inPath: path)].compactMap { $0 })
  }

  /// The address in an object path such as `/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF`. Nil if the path contains no
  /// address.
  fileprivate static func address(inPath path: String) -> String? {
    guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
    return name.dropFirst(4).split(separator: "_").joined(separator: ":")
  }
}
