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
    interrupted.subtract(device.addresses)
    guard !device.isTrusted else { return }
    client.log(.devicePaired, "\(device.name) (\(device.address)) is paired")
    client.trust(device)
  }

  /// True if a bonded device may keep its bond. If the unit starts the pairing and the device
  /// cannot show a number, BlueZ pairs without calling the agent. Such a bond is permitted only if
  /// the configuration permits it.
  func isPermitted(_ device: BluezDevice) -> Bool {
    !bondsToRemove.contains(device.path)
      && (options.pairsWithoutNumber
        || !unconfirmed.contains(device.path) && interrupted.isDisjoint(with: device.addresses))
  }

  /// True if a device that connects now is refused, because the device is not bonded and the window
  /// is closed. bluetoothd then does not pair with the device and does not call the agent.
  func isRefused(_ device: BluezDevice) -> Bool {
    !device.isBonded && !policy.isOpen(at: clock())
  }

  /// Must be called when a person has confirmed that the device and the unit show the same number.
  func numberConfirmed(_ path: String) {
    unconfirmed.remove(path)
    interrupted.subtract(addresses(of: path))
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
}

// MARK: Marks on storage

extension Pairing {
  /// Stores which bonds the next run of the daemon removes if this run dies before it has decided.
  /// `stored` is called when they are on storage.
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
  /// The address of the device, and the one in its object path. A private address changes during pairing, but not in the
  /// path.
  fileprivate var addresses: Set<String> {
    Set([address, Self.address(inPath: path)].compactMap { $0 })
  }

  /// The address in an object path such as `/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF`. Nil if there is none.
  fileprivate static func address(inPath path: String) -> String? {
    guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
    return name.dropFirst(4).split(separator: "_").joined(separator: ":")
  }
}
