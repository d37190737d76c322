internal import Reports

// Devices as people name them.
extension BluezClient {
  /// By address, or by a name that only one has. Devices in range may have the name of a phone, and
  /// one that is paired on one adapter is a stranger on another.
  /// - Parameter preferred: which is meant where others match too.
  func device(called name: String, preferring preferred: (BluezDevice) -> Bool)
    -> Result<BluezDevice, PhoneRefusal>
  {
    guard isKnown else { return .failure(PhoneRefusal("bluetoothd is not running")) }
    let devices = devices
    let address = name.uppercased()
    let called = devices.filter { $0.address == address }
    let named = called.isEmpty ? devices.filter { $0.name == name } : called
    let meant = named.filter(preferred)
    let matching = meant.isEmpty ? named : meant
    if let device = matching.first, matching.allSatisfy({ $0.address == device.address }) {
      return .success(matching.first(where: \.isConnected) ?? device)
    }
    return .failure(
      PhoneRefusal(
        named.isEmpty
          ? "no phone has that address or name" : "\(matching.count) phones have that name"))
  }
}
