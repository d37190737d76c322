/// The state of Bluetooth for surfaces, complete and immutable. It contains the known phones,
/// states whether pairing is possible, and contains the request that needs an answer. The state is
/// published after each change. A time limit, such as the one of the pairing window, is given as
/// the time at which it ends.
package struct PhonesState: Hashable, Sendable {
  /// States which of the parts that phones need are available.
  package enum Service: String, Hashable, Sendable, CaseIterable {
    /// Switched off by the configuration.
    case off
    /// The system bus is not there yet.
    case noBus
    /// The bus is there, but not bluetoothd.
    case noService
    /// bluetoothd has no adapter.
    case noAdapter
    /// Phones can connect.
    case ready
  }

  /// A Bluetooth controller of the unit.
  package struct Adapter: Hashable, Sendable {
    /// `hci0`.
    package var id: String
    package var address: String
    /// The name that phones show.
    package var name: String
    package var isPowered: Bool
    package var isDiscoverable: Bool
    package var isPairable: Bool
    /// True if the unit's player is registered with BlueZ on this adapter.
    package var hasPlayer: Bool

    package init(
      id: String, address: String, name: String, isPowered: Bool = false,
      isDiscoverable: Bool = false, isPairable: Bool = false, hasPlayer: Bool = false
    ) {
      self.id = id
      self.address = address
      self.name = name
      self.isPowered = isPowered
      self.isDiscoverable = isDiscoverable
      self.isPairable = isPairable
      self.hasPlayer = hasPlayer
    }
  }

  /// A phone, a remote or a headset that is bonded or connected.
  package struct Phone: Hashable, Sendable {
    /// `AA:BB:CC:DD:EE:FF`.
    package var address: String
    /// The name that was set on the unit, or the device's own name. It may be any text.
    package var name: String
    /// The adapter that knows it.
    package var adapter: String
    /// True if there is a link for any purpose.
    package var isConnected: Bool
    /// True if the remote control of the device is connected. For a device without a remote
    /// control, true if the device has a link.
    package var isControlling: Bool
    package var isBonded: Bool
    package var isTrusted: Bool
    /// The services that the device announces, in words: `controller`, `source`, …
    package var features: [String]
    /// The signal; nil if the device is not connected or was not measured yet.
    package var signal: Signal?

    package init(
      address: String, name: String, adapter: String, isConnected: Bool = false,
      isControlling: Bool = false, isBonded: Bool = false, isTrusted: Bool = false,
      features: [String] = [],
      signal: Signal? = nil
    ) {
      self.address = address
      self.name = name
      self.adapter = adapter
      self.isConnected = isConnected
      self.isControlling = isControlling
      self.isBonded = isBonded
      self.isTrusted = isTrusted
      self.features = features
      self.signal = signal
    }

    /// Texts for people: whether the device is connected and its signal, then its features.
    package var words: [String] {
      guard isConnected else { return ["away"] + bondText + features }
      return [isControlling ? "connected" : "connected without remote control"] + bondText
        + [(signal ?? Signal()).words] + features
    }

    private var bondText: [String] { isBonded ? [] : ["not bonded"] }
  }

  /// A phone requests pairing, and a person at the unit must confirm or reject it.
  package struct Request: Hashable, Sendable {
    /// The number of the request. Each new request gets a higher number. An answer contains the
    /// number, so that an answer is never assigned to a later request.
    package var number: Int
    package var address: String
    package var name: String
    /// Six digits that the phone shows too; nil if the phone can show none.
    package var passkey: String?

    package init(number: Int, address: String, name: String, passkey: String?) {
      self.number = number
      self.address = address
      self.name = name
      self.passkey = passkey
    }
  }

  package var service: Service
  package var adapters: [Adapter]
  /// Connected phones first, then in the order of their last use.
  package var phones: [Phone]
  /// End of the pairing window, as time since the machine started; nil if pairing is closed.
  package var pairingUntil: Duration?
  package var request: Request?
  /// True while the unit looks for devices that do not connect by themselves.
  package var isSearching: Bool
  /// The name of the device with which the unit is pairing now.
  package var adding: String?
  /// Devices in range that are not paired, while pairing is open. The most useful ones first.
  package var found: [Phone]

  /// Maximum number of phones in a report.
  package static let largestCount = 64

  package init(
    service: Service = .off, adapters: [Adapter] = [], phones: [Phone] = [],
    pairingUntil: Duration? = nil, request: Request? = nil, isSearching: Bool = false,
    adding: String? = nil, found: [Phone] = []
  ) {
    self.service = service
    self.adapters = adapters
    self.phones = phones
    self.pairingUntil = pairingUntil
    self.request = request
    self.isSearching = isSearching
    self.adding = adding
    self.found = found
  }

  /// The phones that are connected and can control.
  package var connected: [Phone] { phones.filter(\.isControlling) }
}
