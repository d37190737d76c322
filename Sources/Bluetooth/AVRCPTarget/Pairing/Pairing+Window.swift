internal import EventLoop
internal import NowPlaying
internal import Reports

// The pairing window: the time in which adapters are discoverable and pairable.
extension Pairing {
  /// - Parameters:
  ///   - time: nil for the time in the configuration.
  ///   - looks: whether devices are discovered while the window is open. Replaces an earlier
  ///     request.
  /// - Returns: the reason why the window cannot be opened; nil after success.
  func open(for time: Duration?, looks: Bool) -> Refusal? {
    switch client.service {
    case .off, .noBus: return Refusal(.noSystemBus, "there is no system bus yet")
    case .noService: return .bluetoothdIsNotRunning
    case .noAdapter:
      return Refusal(.noAdapter, "there is no Bluetooth adapter", remedy: "plug one in")
    case .ready: break
    }
    if let agentRefusal {
      registerAgent()
      return Refusal(
        .noPairingAgent, "bluetoothd does not ask this unit about pairing: \(agentRefusal)",
        remedy: "try again")
    }
    var time = time ?? options.pairingTime
    if adding != nil { time = max(time, Self.addingTime) }
    search.isWanted = looks
    policy.open(for: time, at: clock())
    client.log(.pairingOpened, "phones can pair for \(time.components.seconds) s")
    showWindows()
    windowChanged()
    return nil
  }

  func close() {
    guard policy.until != nil || policy.request != nil else { return }
    policy.close()
    search.isWanted = false
    client.log(.pairingClosed, "pairing is closed")
    cancelAdding("pairing was closed")
    answerWaiting("pairing was closed")
    showWindows()
    windowChanged()
  }

  func expire() {
    let hadRequest = policy.request != nil
    if policy.expire(at: clock()) {
      if policy.until == nil {
        search.isWanted = false
        cancelAdding("it took too long")
      }
      if hadRequest, policy.request == nil { answerWaiting("no answer at the unit") }
      showWindows()
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

  func showWindows() {
    for adapter in client.adapters { showWindow(adapter.id) }
  }

  /// Makes an adapter discoverable and pairable exactly while the window is open. bluetoothd gets
  /// the time too, so that it closes the window even if this daemon has crashed.
  func showWindow(_ adapter: String) {
    let now = clock()
    let isOpen = policy.isOpen(at: now)
    if isOpen, let until = policy.until {
      let seconds = UInt32(clamping: until.wholeTime(since: now).components.seconds + 2)
      client.set(.pairableTime(seconds), of: adapter)
      client.set(.discoverableTime(seconds), of: adapter)
    }
    client.set(.isPairable(isOpen), of: adapter)
    client.set(.isDiscoverable(isOpen), of: adapter)
    showSearch(adapter)
  }
}
