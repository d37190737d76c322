/// What is known of looking for devices and of pairing one from here, as a value: it asks nobody.
struct DeviceSearch: Equatable {
  /// A device that is being paired from here.
  struct Adding: Equatable {
    let address: String
    /// Somebody has said that both show the same number.
    var isCompared = false
    /// It showed none, where one is wanted: what BlueZ made of it is undone.
    var isRefused = false
  }

  /// Whether devices are to be looked for.
  var isWanted = false
  /// Adapters that were asked to.
  var adapters: Set<String> = []
  /// One at a time: a radio that pages two finds neither soon.
  var adding: Adding?

  /// bluetoothd is gone, and forgets what it was asked; whether it is wanted outlives it.
  mutating func interrupt() {
    adapters = []
    adding = nil
  }

  /// Somebody has compared the number of a device.
  mutating func compared(_ address: String) {
    if adding?.address == address { adding?.isCompared = true }
  }

  /// Whether a device that is bonded now may stay so. BlueZ asks nobody where the unit itself pairs
  /// with a device that has no number to show.
  /// - Parameter withoutNumber: whether such are wanted.
  mutating func welcomes(_ address: String, withoutNumber: Bool) -> Bool {
    guard let adding, adding.address == address, !adding.isCompared, !withoutNumber else {
      return true
    }
    self.adding?.isRefused = true
    return false
  }
}
