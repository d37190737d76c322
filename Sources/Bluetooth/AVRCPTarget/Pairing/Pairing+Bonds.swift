internal import Reports

// Checks bonds and removes those that are not permitted.
extension Pairing {
  /// Trusts a bonded device, so that it may connect without a question. Removes its bond if the
  /// device is not welcome.
  func judge(_ device: BluezDevice) {
    guard device.isBonded else { return }
    guard isWelcome(device) else {
      drop(device)
      if adding?.path == device.path {
        endAdding("it shows no number, and the configuration wants one ('pair-without-number')")
      }
      return
    }
    guard !device.isTrusted else { return }
    client.log(.devicePaired, "\(device.name) (\(device.address)) is paired")
    client.trust(device)
  }

  /// Whether a bonded device may keep its bond. If the unit starts the pairing and the device
  /// cannot show a number, BlueZ pairs without asking the agent.
  func isWelcome(_ device: BluezDevice) -> Bool {
    !unwanted.contains(device.path)
      && (options.pairsWithoutNumber || !doubtful.contains(device.path))
  }

  /// Whether a device that connects now is refused: it is not bonded, and the window is closed, so
  /// bluetoothd neither pairs with it nor asks the agent.
  func isStranger(_ device: BluezDevice) -> Bool {
    !device.isBonded && !policy.isOpen(at: clock())
  }

  /// A person has confirmed that the device and the unit show the same number.
  func numberWasCompared(_ path: String) {
    doubtful.remove(path)
    unwanted.remove(path)
  }

  /// bluetoothd has started again. A bond without a compared number, made before bluetoothd ended,
  /// is still not permitted.
  func judgeDoubtful() {
    if !options.pairsWithoutNumber { unwanted.formUnion(doubtful) }
    doubtful = []
    dropUnwanted()
  }

  /// Repeats removals that failed because the adapter was off or bluetoothd had ended.
  func dropUnwanted() {
    for path in unwanted {
      if let device = client.device(at: path) { drop(device) } else { unwanted.remove(path) }
    }
  }

  /// Removes a bond. Until this is done, the device may use no service and is not dialled.
  func drop(_ device: BluezDevice) {
    unwanted.insert(device.path)
    client.remove(device) { [weak self] result in
      guard case .failure(let error) = result, let client = self?.client,
        client.device(at: device.path) != nil
      else { return }
      client.log(
        .bondNotRemoved,
        "the bond of \(device.name) (\(device.address)) cannot be removed: \(error)")
    }
  }
}
