internal import Reports

// Checks bonds and removes those that are not permitted.
extension Pairing {
  /// Trusts a bonded device, so that it may connect without a question. Removes its bond if the
  /// device is not permitted.
  func checkBond(_ device: BluezDevice) {
    guard device.isBonded else { return }
    guard isPermitted(device) else {
      removeBond(device)
      if adding?.path == device.path { endAdding(.noNumber) }
      return
    }
    guard !device.isTrusted else { return }
    client.log(.devicePaired, "\(device.name) (\(device.address)) is paired")
    client.trust(device)
  }

  /// True if a bonded device may keep its bond. If the unit starts the pairing and the device
  /// cannot show a number, BlueZ pairs without asking the agent.
  func isPermitted(_ device: BluezDevice) -> Bool {
    !bondsToRemove.contains(device.path)
      && (options.pairsWithoutNumber || !unconfirmed.contains(device.path))
  }

  /// True if a device that connects now is refused. This is the case if the device is not bonded
  /// and the window is closed. bluetoothd then neither pairs with the device nor calls the agent.
  func isRefused(_ device: BluezDevice) -> Bool {
    !device.isBonded && !policy.isOpen(at: clock())
  }

  /// A person has confirmed that the device and the unit show the same number.
  func numberConfirmed(_ path: String) {
    unconfirmed.remove(path)
    bondsToRemove.remove(path)
  }

  /// bluetoothd has started again. A bond without a compared number, made before bluetoothd ended,
  /// is still not permitted.
  func checkUnconfirmedBonds() {
    if !options.pairsWithoutNumber { bondsToRemove.formUnion(unconfirmed) }
    unconfirmed = []
    retryBondRemovals()
  }

  /// Repeats removals that failed because the adapter was off or bluetoothd had ended.
  func retryBondRemovals() {
    for path in bondsToRemove {
      if let device = client.device(at: path) {
        removeBond(device)
      } else {
        bondsToRemove.remove(path)
      }
    }
  }

  /// Removes a bond. Until this is done, the device may use no service and is not dialled.
  func removeBond(_ device: BluezDevice) {
    bondsToRemove.insert(device.path)
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
