internal import EventLoop
internal import NowPlaying
internal import Reports

// Dialling: one at a time, as paging keeps the radio busy.
extension Connections {
  /// A controller that does not answer is paged for 5 s, and bluetoothd tries more than one profile.
  private static let longestCall = Duration.seconds(60)

  func setDialTimer() {
    guard options.reconnects, !rules.isPairing(), let deadline = plan.nextDeadline else {
      dialTimer?.stop()
      return
    }
    dialTimer?.set(after: deadline.wholeTime(since: clock()))
  }

  /// Dials whoever is due.
  func dial() {
    guard options.reconnects, !rules.isPairing(), let address = plan.next(at: clock()) else {
      return setDialTimer()
    }
    guard let device = devices.first(where: { $0.address == address && mayBeDialled($0) }) else {
      plan.finished(address, .absent, at: clock())
      return setDialTimer()
    }
    call(device) { _ in }
  }

  /// Somebody asks for it. One at a time, and it goes first; BlueZ goes on with the other by itself.
  func dialNow(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    plan.want(device.address, at: clock())
    dialling?.cancel()
    plan.dial(device.address)
    call(device, then: then)
  }

  /// The first connection of a device that was paired from here; from then on a remote comes by
  /// itself, or is dialled.
  func begin(_ device: BluezDevice) {
    if device.canBeDialled { return dialNow(device) { _ in } }
    client.connect(device) { [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.client.log(.notice, "Bluetooth: \(device.name) does not connect yet: \(error)")
    }
  }

  /// Nothing but a controller is ever dialled.
  private func call(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    let address = device.address
    client.log(.debug, "Bluetooth: dials \(device.name) (\(address))")
    dialling = client.connectController(device, timeout: Self.longestCall) { [weak self] result in
      guard let self else { return }
      dialling = nil
      switch result {
      case .success:
        plan.finished(address, .connected, at: clock())
        then(nil)
      case .failure(let error):
        let outcome = ReconnectPlan.Outcome(error)
        plan.finished(address, outcome, at: clock())
        client.log(.debug, "Bluetooth: \(address) cannot be connected: \(error)")
        if plan.prospects[address]?.isLeftInPeace == true {
          client.log(
            .notice, "Bluetooth: \(device.name) (\(address)) keeps refusing and is left in peace")
        }
        then(outcome == .connected ? nil : error)
      }
      update()
      onChange?()
    }
  }
}
