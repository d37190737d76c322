package import NowPlaying
internal import Reports

// Finds devices by the names that people use.
extension BluezClient {
  /// Finds a device by its address or by its name. A name that belongs to several addresses is
  /// refused. With two adapters, BlueZ may list one device twice: paired on one adapter and
  /// unpaired on the other.
  /// - Parameter preferred: a condition. If at least one matching device satisfies the condition,
  ///   the other matching devices are ignored.
  package func device(called name: String, preferring preferred: (BluezDevice) -> Bool)
    -> Result<BluezDevice, Refusal>
  {
    guard isKnown else { return .failure(.bluetoothdIsNotRunning) }
    let devices = devices
    let address = name.uppercased()
    let called = devices.filter { $0.address == address }
    let named = called.isEmpty ? devices.filter { $0.name == name } : called
    let meant = named.filter(preferred)
    let matching = meant.isEmpty ? named : meant
    if let device = matching.first, matching.allSatisfy({ $0.address == device.address }) {
      return .success(matching.first(where: \.isConnected) ?? device)
    }
    if named.isEmpty {
      return .failure(
        Refusal(
          .noSuchPhone, "no phone has this address or name", remedy: "'bt phones' lists them"))
    }
    return .failure(
      Refusal(
        .ambiguousPhone, "\(matching.count) phones have this name", remedy: "use the address"
      ))
  }
}

extension Refusal {
  package static let bluetoothdIsNotRunning = Refusal(
    .noBluetoothd, "bluetoothd is not running", remedy: "check 'log' and bluetooth.service")
}
