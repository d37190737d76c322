package import EventLoop
internal import Reports

// Calls to bluetoothd. If there is no connection to the bus, no call is made and the completion is never called.
extension BluezClient {
  package typealias Completion = (Result<Void, BusError>) -> Void

  // MARK: Objects of the unit

  /// Registers an agent and makes it the default agent. bluetoothd sends questions about pairing to the default agent.
  package func registerAgent(_ path: String, capability: String, _ completion: @escaping Completion)
  {
    askManager("RegisterAgent", [.objectPath(path), .string(capability)], completion) {
      [weak self] in
      self?.askManager("RequestDefaultAgent", [.objectPath(path)], completion) {
        completion(.success(()))
      }
    }
  }

  private func askManager(
    _ member: String, _ arguments: [BusValue], _ failed: @escaping Completion,
    then: @escaping () -> Void
  ) {
    call(BluezNames.root, BluezNames.agentManager, member, arguments) { result in
      switch result {
      // `AlreadyExists` means that an earlier call was carried out, but its answer was lost.
      case .success, .failure(.remote(name: BluezNames.alreadyExists, message: _)): then()
      case .failure: failed(result)
      }
    }
  }

  /// Registers a player with its current properties.
  package func registerPlayer(
    _ path: String, on adapter: String, _ properties: [(String, BusValue)],
    _ completion: @escaping Completion
  ) {
    call(
      BluezNames.path(ofAdapter: adapter), BluezNames.media, "RegisterPlayer",
      [.objectPath(path), .properties(properties)], then: completion)
  }

  /// Tests whether bluetoothd can reach an object of the unit: calls the object through the bus, as bluetoothd does.
  package func ping(_ path: String, _ completion: @escaping Completion) {
    guard let bus, let name = bus.uniqueName else { return }
    bus.call(name, path, "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(2)) {
      completion($0.map { _ in })
    }
  }

  // MARK: Adapters

  /// Writes a property if its current value is different.
  package func set(_ setting: BluezAdapter.Setting, of adapter: String) {
    let (name, value) = setting.property
    let path = BluezNames.path(ofAdapter: adapter)
    guard monitor?[path, BluezNames.adapter]?[name] != value else { return }
    write(path, BluezNames.adapter, name, value)
  }

  /// The D-Bus methods of an adapter that start and stop discovery.
  package enum DiscoveryCall: String, Equatable {
    case start = "StartDiscovery"
    case stop = "StopDiscovery"
  }

  package func discover(
    _ call: DiscoveryCall, on adapter: String, _ completion: @escaping Completion
  ) {
    self.call(
      BluezNames.path(ofAdapter: adapter), BluezNames.adapter, call.rawValue, then: completion)
  }

  /// Removes a device and its bond from BlueZ.
  package func remove(
    _ device: BluezDevice, timeout: Duration = longestWait, _ completion: @escaping Completion
  ) {
    call(
      BluezNames.path(ofAdapter: device.adapter), BluezNames.adapter, "RemoveDevice",
      [.objectPath(device.path)], timeout: timeout, then: completion)
  }

  // MARK: Devices

  package func trust(_ device: BluezDevice) {
    write(device.path, BluezNames.device, "Trusted", .boolean(true))
  }

  package func pair(
    _ device: BluezDevice, timeout: Duration, _ completion: @escaping Completion
  ) -> PendingCall? {
    call(device.path, BluezNames.device, "Pair", timeout: timeout, then: completion)
  }

  /// - Parameter path: the path of the device. BlueZ may have removed the device already.
  package func cancelPairing(_ path: String, _ completion: @escaping Completion) {
    call(path, BluezNames.device, "CancelPairing", then: completion)
  }

  /// Connects all profiles of the device that BlueZ marks as auto-connectable.
  package func connect(_ device: BluezDevice, _ completion: @escaping Completion) {
    call(device.path, BluezNames.device, "Connect", then: completion)
  }

  /// Connects one profile of a device. If this profile is the source of sound (A2DP), bluetoothd then connects the
  /// remote control by itself. This function also connects a device that is only a controller; BlueZ's `Connect` skips
  /// such a device.
  @discardableResult
  package func connect(
    _ profile: BluezFeature, of device: BluezDevice, timeout: Duration = longestWait,
    _ completion: @escaping Completion
  ) -> PendingCall? {
    call(
      device.path, BluezNames.device, "ConnectProfile", [.string(profile.uuid)],
      timeout: timeout, then: completion)
  }

  /// Connects the keys of the device (HID). If BlueZ does not know yet that the device has keys, BlueZ reads the
  /// services of the device again. For keys over Bluetooth Low Energy, `Connect` is used, because there is no classic
  /// service that `ConnectProfile` could connect.
  package func connectKeyboard(_ device: BluezDevice, _ completion: @escaping Completion) {
    let isLowEnergy =
      device.features.contains(.lowEnergyKeyboard) && !device.features.contains(.keyboard)
    if isLowEnergy {
      connect(device, completion)
    } else {
      connect(.keyboard, of: device, completion)
    }
  }

  package func disconnect(
    _ device: BluezDevice, timeout: Duration, _ completion: @escaping Completion
  ) {
    call(device.path, BluezNames.device, "Disconnect", timeout: timeout, then: completion)
  }

  /// - Parameter name: the new name. If the new name is empty, BlueZ returns to the name that the device reported.
  package func rename(
    _ device: BluezDevice, to name: String, timeout: Duration, _ completion: @escaping Completion
  ) {
    setProperty(
      device.path, BluezNames.device, "Alias", .string(name), timeout: timeout, then: completion)
  }

  // MARK: Transports

  /// Sends the volume to the phone of a transport. If the phone is not subscribed to volume notifications at this
  /// moment, BlueZ reports an error. BlueZ then stores the volume, and the phone receives it when it subscribes again.
  /// - Parameter step: the volume, 0 to 127.
  package func setVolume(_ step: Int, ofTransport path: String) {
    setProperty(path, BluezNames.transport, "Volume", .uint16(UInt16(clamping: step))) { _ in }
  }

  // MARK: Calls

  package static var longestWait: Duration { .seconds(25) }

  @discardableResult
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    timeout: Duration = longestWait, then completion: @escaping Completion
  ) -> PendingCall? {
    bus?.call(BluezNames.service, path, interface, member, arguments, timeout: timeout) {
      completion($0.map { _ in })
    }
  }

  private func setProperty(
    _ path: String, _ interface: String, _ name: String, _ value: BusValue,
    timeout: Duration = longestWait, then completion: @escaping Completion
  ) {
    call(
      path, BluezNames.properties, "Set",
      [.string(interface), .string(name), .variant(value)], timeout: timeout, then: completion)
  }

  /// Writes a property. An error is logged. If bluetoothd is busy, nothing is logged: ``Event/canRetry`` is sent after
  /// a short pause, so that the caller can write again. If bluetoothd was busy too often in a row, the error is logged
  /// and no ``Event/canRetry`` follows.
  private func write(_ path: String, _ interface: String, _ name: String, _ value: BusValue) {
    setProperty(path, interface, name, value) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: resetBusyCount()
      case .failure(.remote(BluezNames.busy, _)) where retryLater(): break
      case .failure(let error):
        log(.adapterNotSet, "\(name) of \(path) cannot be set: \(error)")
      }
    }
  }

  // MARK: Calls about phones that are sources of sound

  /// Registers an endpoint for A2DP.
  package func registerEndpoint(
    _ path: String, on adapter: String, _ properties: KeyValuePairs<String, BusValue>,
    _ completion: @escaping Completion
  ) {
    call(
      BluezNames.path(ofAdapter: adapter), BluezNames.media, "RegisterEndpoint",
      [.objectPath(path), .properties(properties)], then: completion)
  }

  /// The socket of a stream. Each read of it returns one packet.
  package struct Stream {
    package let socket: BusDescriptor
    /// Largest packet that arrives, in bytes.
    package let packetBytes: Int
  }

  /// Acquires the stream of a transport that is pending.
  package func acquire(
    _ transport: String, _ completion: @escaping (Result<Stream, BusError>) -> Void
  ) {
    bus?.call(
      BluezNames.service, transport, BluezNames.transport, "TryAcquire", timeout: .seconds(4)
    ) { result in
      completion(
        result.flatMap { body in
          guard let socket = body.values.first?.descriptor, body.values.count == 3,
            let size = body.values[1].integer
          else { return .failure(.wrongType(BusTypeError(expected: "hqq", found: "", index: 0))) }
          return .success(Stream(socket: socket, packetBytes: size))
        })
    }
  }

  /// Sends a command to a player of a phone. The answer says only that the command was sent.
  package func command(
    _ name: String, player path: String, _ completion: @escaping Completion
  ) {
    call(path, BluezNames.mediaPlayer, name, timeout: .seconds(4), then: completion)
  }

  /// Sets a setting of a player of a phone: `Repeat` or `Shuffle`.
  package func set(
    _ setting: String, _ value: String, ofPlayer path: String, _ completion: @escaping Completion
  ) {
    setProperty(
      path, BluezNames.mediaPlayer, setting, .string(value), timeout: .seconds(4), then: completion)
  }

  /// Reads the position of a player of a phone, in milliseconds. BlueZ computes it from the last position that the
  /// phone has sent.
  package func readPosition(ofPlayer path: String, _ completion: @escaping (Int?) -> Void) {
    bus?.call(
      BluezNames.service, path, BluezNames.properties, "Get",
      [.string(BluezNames.mediaPlayer), .string("Position")], timeout: .seconds(4)
    ) { result in
      completion(BluezMediaPlayer.number((try? result.get())?.values.first))
    }
  }

  /// Reports the delay between the arrival of a frame and the moment when it is heard.
  /// - Parameter delay: in tenths of a millisecond.
  package func setDelay(_ delay: Int, ofTransport path: String) {
    setProperty(
      path, BluezNames.transport, "Delay", .uint16(UInt16(clamping: delay))
    ) { _ in
      // The error is ignored, because a phone that has not configured delay reporting does not use the delay.
    }
  }
}
