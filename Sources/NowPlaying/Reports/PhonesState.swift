/// Bluetooth as a surface needs it, whole and immutable: which phones there are, whether one may be
/// paired, and what has to be answered. It is published when something in it changes; what passes
/// by itself (a window that runs out) is told as the moment of its end.
package struct PhonesState: Hashable, Sendable {
  /// How far down the way to a phone things stand.
  package enum Service: String, Hashable, Sendable, CaseIterable {
    /// Switched off by the configuration.
    case off
    /// There is no system bus yet.
    case noBus
    /// There is a bus, and no bluetoothd on it.
    case noService
    /// bluetoothd has no adapter.
    case noAdapter
    /// Phones can come.
    case ready
  }

  /// A radio.
  package struct Adapter: Hashable, Sendable {
    /// `hci0`.
    package var id: String
    package var address: String
    /// As phones see it.
    package var name: String
    package var isPowered: Bool
    package var isDiscoverable: Bool
    package var isPairable: Bool
    /// BlueZ has our player there.
    package var hasPlayer: Bool

    /// See the fields.
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

  /// A phone, a remote, a headset: whatever is bonded or connected.
  package struct Phone: Hashable, Sendable {
    /// `AA:BB:CC:DD:EE:FF`.
    package var address: String
    /// As it was renamed here, or as it calls itself; may be anything.
    package var name: String
    /// The adapter that knows it.
    package var adapter: String
    /// There is a link, whatever for.
    package var isConnected: Bool
    /// Its remote control is connected; of a device that has none, the link.
    package var isControlling: Bool
    package var isBonded: Bool
    package var isTrusted: Bool
    /// What it says that it can do, in words: `controller`, `source`, …
    package var features: [String]
    /// Nil where it is not connected, or was not measured yet.
    package var signal: Signal?

    /// See the fields.
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

    /// For people: whether it is there and how well it is heard, then what it can do.
    package var words: [String] {
      guard isConnected else { return ["away"] + bondWords + features }
      return [isControlling ? "connected" : "connected without remote control"] + bondWords
        + [(signal ?? Signal()).words] + features
    }

    private var bondWords: [String] { isBonded ? [] : ["not bonded"] }
  }

  /// A phone asks to be paired, and somebody at the unit has to say yes or no.
  package struct Request: Hashable, Sendable {
    /// Counts up; an answer names it, so that none is given to the request after it.
    package var number: Int
    package var address: String
    package var name: String
    /// Six digits that the phone shows too; nil where the phone can show none.
    package var passkey: String?

    /// See the fields.
    package init(number: Int, address: String, name: String, passkey: String?) {
      self.number = number
      self.address = address
      self.name = name
      self.passkey = passkey
    }
  }

  package var service: Service
  package var adapters: [Adapter]
  /// Connected ones first, then in the order in which they were used last.
  package var phones: [Phone]
  /// Until when phones may be paired, since the machine started; nil where none may.
  package var pairingUntil: Duration?
  package var request: Request?
  /// Whether devices that wait to be called are looked for.
  package var isSearching: Bool
  /// The device that the unit pairs with just now, by its name.
  package var adding: String?
  /// Devices in range that are not paired, while pairing is open: what is of use here first.
  package var found: [Phone]

  /// More are not told.
  package static let largestCount = 64

  /// See the fields.
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

  /// Those that are there now, and can control.
  package var connected: [Phone] { phones.filter(\.isControlling) }
}
