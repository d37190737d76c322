internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

// The pairing window: the time in which adapters are discoverable and pairable.
extension Pairing {
  /// - Parameters:
  ///   - time: how long the window stays open. If nil, the time in the configuration is used.
  ///   - discovers: true if devices are discovered while the window is open. This value replaces
  ///     the value of an earlier request.
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

  /// Makes an adapter discoverable and pairable if the window is open. Makes it neither
  /// discoverable nor pairable if the window is closed. bluetoothd gets the remaining time too. So
  /// bluetoothd closes the window even if this daemon has crashed.
  func applyWindow(_ adapter: String) {
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
}
