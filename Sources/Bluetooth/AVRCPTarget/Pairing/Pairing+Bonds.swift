internal import Bluez
internal import Reports

// Checks bonds and removes those that are not permitted.
extension Pairing {
  /// Marks a bonded device as trusted, so that the device may connect without a question. If the
  /// device is not permitted, its bond is removed instead.
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
  /// cannot show a number, BlueZ pairs without calling the agent. Such a bond is permitted only if
  /// the configuration permits it.
  func isPermitted(_ device: BluezDevice) -> Bool {
    !bondsToRemove.contains(device.path)
      && (options.pairsWithoutNumber || !unconfirmed.contains(device.path))
  }

  /// True if a device that connects now is refused, because the device is not bonded and the window
  /// is closed. bluetoothd then does not pair with the device and does not call the agent.
  func isRefused(_ device: BluezDevice) -> Bool {
    !device.isBonded && !policy.isOpen(at: clock())
  }

  /// Must be called when a person has confirmed that the device and the unit show the same number.
  func numberConfirmed(_ path: String) {
    unconfirmed.remove(path)
    bondsToRemove.remove(path)
  }

  /// Must be called when bluetoothd has started again. Removes the bonds that were made before
  /// bluetoothd ended and whose number no person has confirmed, except if the configuration permits
  /// such bonds.
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

  /// Removes a bond. Until the bond is removed, the device may not use a service and is not
  /// dialled.
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
