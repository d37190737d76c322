internal import Reports

// Bonds: which may stay, and undoing those that may not.
extension Pairing {
  /// Trusts a device that is bonded, so that it is let in without a question; or undoes its bond.
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
    client.log(.notice, "Bluetooth: \(device.name) (\(device.address)) is paired")
    client.trust(device)
  }

  /// Whether a device that is bonded now may stay so. BlueZ asks nobody where the unit itself pairs
  /// with a device that has no number to show.
  func isWelcome(_ device: BluezDevice) -> Bool {
    !unwanted.contains(device.path)
      && (options.pairsWithoutNumber || !doubtful.contains(device.path))
  }

  /// Whether a device that has a link now can be nothing but refused: bluetoothd does not pair it by
  /// itself, and asks nobody.
  func isStranger(_ device: BluezDevice) -> Bool {
    !device.isBonded && !policy.isOpen(at: clock())
  }

  /// Somebody has said that a device and the unit show the same number.
  func numberWasCompared(_ path: String) {
    doubtful.remove(path)
    unwanted.remove(path)
  }

  /// bluetoothd is there again: a bond that it made in the midst is no less doubtful.
  func judgeDoubtful() {
    if !options.pairsWithoutNumber { unwanted.formUnion(doubtful) }
    doubtful = []
    dropUnwanted()
  }

  /// What could not be undone, as the adapter was off or bluetoothd went, is undone now.
  func dropUnwanted() {
    for path in unwanted {
      if let device = client.device(at: path) { drop(device) } else { unwanted.remove(path) }
    }
  }

  /// Undoes a bond. Until that is done, the device may use nothing, and is not dialled.
  func drop(_ device: BluezDevice) {
    unwanted.insert(device.path)
    client.remove(device) { [weak self] result in
      guard case .failure(let error) = result, let client = self?.client,
        client.device(at: device.path) != nil
      else { return }
      client.log(
        .error, "Bluetooth: the bond of \(device.name) (\(device.address)) stays: \(error)")
    }
  }
}
