internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

// Dialling. One device is dialled at a time, because paging occupies the controller.
extension Connections {
  /// Maximum time of one attempt. If a device does not answer, the Bluetooth chip of the unit pages
  /// it for 5 s and then gives up. If a device answers, further steps follow: encryption of the
  /// link, and then the AVRCP channel. So a whole attempt can take much longer than 5 s.
  private static let longestCall = Duration.seconds(60)

  /// Maximum time from a success that BlueZ reports to the connection of the remote control.
  private static let confirmingTime = Duration.seconds(2)

  /// An attempt that BlueZ has reported as successful, while the remote control is not connected
  /// yet. BlueZ usually reports success shortly before the remote control is connected. But if the
  /// device itself has begun to connect, and this connection is being authorised, BlueZ reports
  /// success at once (profiles/audio/control.c, `-EALREADY`), and the connection can still fail.
  struct Unconfirmed {
    let device: BluezDevice
    let then: (BusError?) -> Void
  }

  func setDialTimer() {
    guard mayDial, let deadline = plan.nextDeadline else {
      dialTimer?.stop()
      return
    }
    dialTimer?.set(after: deadline.wholeTime(since: clock()))
  }

  private var mayDial: Bool { options.reconnects && !rules.isPairing() && !rules.isStreaming() }

  /// Connects to the device that is due, if there is one.
  func dial() {
    guard mayDial, let address = plan.next(at: clock()) else {
      return setDialTimer()
    }
    guard let device = devices.first(where: { $0.address == address && mayBeDialled($0) }) else {
      plan.finished(address, .absent, at: clock())
      return setDialTimer()
    }
    givesWayToStreams = true
    call(device) { _ in }
  }

  /// Ends the attempt in progress if a phone has begun to stream and the dialled device has not answered yet. The
  /// attempt is repeated after the stream.
  func giveWayToStream() {
    guard givesWayToStreams, dialling != nil, rules.isStreaming(),
      let device = devices.first(where: { $0.address == plan.dialled }), !device.isConnected
    else { return }
    givesWayToStreams = false
    client.log(.connectingDeferred, "\(device.name) is connected later: a phone streams")
    // BlueZ then answers the attempt with "canceled", and the page ends.
    client.disconnect(device, timeout: Self.longestCall) { _ in }
  }

  /// Connects to this device now, ahead of the others, because a person has requested the
  /// connection. If an attempt for this device is in progress, `then` gets its result, because BlueZ
  /// would refuse a second one. If an attempt for another device is in progress, BlueZ continues that
  /// attempt by itself, and the answer to it is ignored.
  func dialNow(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    if dialling != nil, plan.dialled == device.address {
      givesWayToStreams = false
      onDialled.append(then)
      return
    }
    plan.makeDue(device.address, at: clock())
    dialling?.cancel()
    unconfirmed = nil
    plan.dial(device.address)
    givesWayToStreams = false
    call(device, then: then)
  }

  /// Makes the first connection to a device that was paired from the unit. Later, the device
  /// connects by itself or is dialled.
  func begin(_ device: BluezDevice) {
    if device.canBeDialled { return dialNow(device) { _ in } }
    client.connect(device) { [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.client.log(.connectingDeferred, "\(device.name) cannot be connected yet: \(error)")
    }
  }

  /// Dials a device. The caller must ensure that the device is a source of sound or an AVRCP controller
  /// (CT).
  private func call(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    let address = device.address
    client.log(.deviceConnecting, "the unit connects to \(device.name) (\(address))")
    onDialled = [then]
    dialling = connectProfile(device) { [weak self] result in
      guard let self else { return }
      dialling = nil
      let waiting = onDialled
      onDialled = []
      func tell(_ error: BusError?) { for then in waiting { then(error) } }
      switch result {
      case .success:
        unconfirmed = Unconfirmed(device: device, then: tell)
        confirmTimer?.set(after: Self.confirmingTime)
      case .failure(let error):
        let outcome = ReconnectPlan.Outcome(error)
        plan.finished(address, outcome, at: clock())
        client.log(.connectingFailed, "\(address) cannot be connected: \(error)")
        if plan.candidates[address]?.isSuspended == true {
          client.log(
            .connectingEnded,
            plan.candidates[address]?.refusals ?? 0 >= ReconnectPlan.refusalLimit
              ? "\(device.name) (\(address)) refused each attempt; no further attempt follows"
              : "\(device.name) (\(address)) has never pressed a key; no further attempt follows")
        }
        tell(outcome == .connected ? nil : error)
      }
      update()
      onChange?()
    }
  }

  /// Connects a source of sound; bluetoothd then connects its remote control by itself. If the device has
  /// refused this, or is no source, connects the remote control.
  private func connectProfile(
    _ device: BluezDevice, _ completion: @escaping BluezClient.Completion
  ) -> PendingCall? {
    let hasRefused = (plan.candidates[device.address]?.refusals ?? 0) > 0
    let isSound = device.isSource && !(hasRefused && device.features.contains(.controller))
    return client.connect(
      isSound ? .source : .controller, of: device, timeout: Self.longestCall, completion)
  }

  /// Ends the attempt that waits for the remote control. If the remote control was not connected in
  /// time, the attempt counts as crossed, because the device was connecting by itself. So the next
  /// attempt follows soon.
  func confirm(isConnected: Bool) {
    guard let attempt = unconfirmed else { return }
    unconfirmed = nil
    confirmTimer?.stop()
    plan.finished(attempt.device.address, isConnected ? .connected : .crossed, at: clock())
    guard !isConnected else { return attempt.then(nil) }
    let error = BusError.remote(
      name: BluezNames.errorPrefix + "Failed", message: "the remote control is not connected")
    client.log(.connectingFailed, "\(attempt.device.address) cannot be connected: \(error)")
    attempt.then(error)
    update()
  }
}
