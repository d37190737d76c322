/// The complete state of Bluetooth for surfaces, as one immutable value. It contains the known phones, the end of the
/// pairing window, and the pairing request that needs an answer. A new state is published after each change. Surfaces
/// compute the remaining time of the window themselves, so no state is published while this time passes.
package struct PhonesState: Hashable, Sendable {
  /// The first part that is missing, so that phones cannot connect; `ready` if no part is missing.
  package enum Service: String, Hashable, Sendable, CaseIterable {
    /// Switched off by the configuration.
    case off
    /// There is no connection to the system bus.
    case noBus
    /// The system bus is connected, but bluetoothd does not run.
    case noService
    /// bluetoothd has no adapter.
    case noAdapter
    /// Phones can connect.
    case ready
  }

  /// A Bluetooth controller of the unit.
  package struct Adapter: Hashable, Sendable {
    /// The name of the adapter in BlueZ, such as `hci0`.
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
    /// The address, such as `AA:BB:CC:DD:EE:FF`.
    package var address: String
    /// The name that was set on the unit, or the device's own name. The name can be any text.
    package var name: String
    /// The adapter for which BlueZ lists the device.
    package var adapter: String
    /// True if the device has a link to the unit, for any purpose.
    package var isConnected: Bool
    /// True if keys of the device can reach the unit: its remote control (AVRCP) is connected, or it is a keyboard with
    /// a link.
    package var isControlling: Bool
    /// True if the device has ever pressed a key. Only a press shows that the device is a controller, because a phone
    /// that is only a source of sound connects its remote control too.
    package var hasPressedKey: Bool
    package var isBonded: Bool
    package var isTrusted: Bool
    /// The services that the device announces, in words: `controller`, `source`, …
    package var features: [String]
    /// The signal; nil if the device is not connected or was not measured yet.
    package var signal: Signal?
    package var kind: Kind
    /// True if the device is a phone that plays music through the unit.
    package var plays: Bool
    /// The app on the phone that plays, as the phone reports it. Nil if the phone reports no app.
    package var app: String?
    /// True if the unit connects to this phone first.
    package var isFirstChoice: Bool
    /// The time at which the device was last connected, as time since the start of the machine. Nil if the device was
    /// not connected since the start.
    package var lastSeen: Duration?

    /// The purpose of the device.
    package enum Kind: String, Hashable, Sendable {
      /// A source of sound.
      case phone
      /// A device that only sends commands.
      case remote
    }

    package init(
      address: String, name: String, adapter: String, isConnected: Bool = false,
      isControlling: Bool = false, hasPressedKey: Bool = false, isBonded: Bool = false,
      isTrusted: Bool = false, features: [String] = [],
      signal: Signal? = nil, kind: Kind = .remote, plays: Bool = false, app: String? = nil,
      isFirstChoice: Bool = false, lastSeen: Duration? = nil
    ) {
      self.address = address
      self.name = name
      self.adapter = adapter
      self.isConnected = isConnected
      self.isControlling = isControlling
      self.hasPressedKey = hasPressedKey
      self.isBonded = isBonded
      self.isTrusted = isTrusted
      self.features = features
      self.signal = signal
      self.kind = kind
      self.plays = plays
      self.app = app
      self.isFirstChoice = isFirstChoice
      self.lastSeen = lastSeen
    }

    /// Texts for people: first whether the device is connected and bonded, then its signal, then its features.
    package var words: [String] {
      let choice = isFirstChoice ? ["first choice"] : []
      guard isConnected else { return ["away"] + choice + bondText + features }
      return playing + [isControlling ? "connected" : "connected without remote control"] + choice
        + bondText + [(signal ?? Signal()).words] + features
    }

    private var playing: [String] { plays ? [app.map { "plays (\($0))" } ?? "plays"] : [] }

    private var bondText: [String] {
      // A phone that is a source of sound usually sends no keys, so the text `withoutKeys` would not help.
      isBonded ? hasPressedKey || kind == .phone ? [] : [Self.withoutKeys] : ["not bonded"]
    }

    /// The text about a remote whose ``hasPressedKey`` is false.
    package static let withoutKeys = "no key pressed yet"
  }

  /// A request of a phone for pairing. A person at the unit must confirm or reject the request.
  package struct Request: Hashable, Sendable {
    /// The number of the request. Each new request gets a higher number. An answer contains the number of its request,
    /// so it is never used for a later request.
    package var number: Int
    package var address: String
    package var name: String
    /// Six digits that the phone shows too; nil if the phone cannot show digits.
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
  /// First the connected phones, then the other phones. In each of these two groups, the phone that was used last comes
  /// first.
  package var phones: [Phone]
  /// End of the pairing window, as time since the machine started; nil if pairing is closed.
  package var pairingUntil: Duration?
  package var request: Request?
  /// True during discovery: the unit searches for devices that do not connect by themselves.
  package var isSearching: Bool
  /// The name of the device with which the unit is pairing now; nil if it is not pairing.
  package var adding: String?
  /// The devices in range that are not paired; empty if pairing is closed. Devices with keys come first.
  package var found: [Phone]

  /// Maximum number of phones in each list of phones that is sent to a client.
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

  /// The bonded phones that are sources of sound.
  package var bondedPhones: [Phone] { phones.filter { $0.isBonded && $0.kind == .phone } }

  /// The phones whose keys can reach the unit.
  package var connected: [Phone] { phones.filter(\.isControlling) }

  // MARK: The signal

  /// The signal of a connected phone.
  package struct Signal: Hashable, Sendable {
    /// If ``isAbsolute`` is true, this is the signal strength in dBm. Otherwise it is the distance in dB from the range
    /// in which the controller receives best: positive above this range, negative below it, and 0 inside it. Nil if the
    /// controller reports no value.
    package var decibels: Int?
    /// True for a Low Energy link. For a link of classic Bluetooth, the controller does not report the strength in dBm
    /// (Bluetooth Core Specification, Vol 4, Part E, 7.5.4).
    package var isAbsolute: Bool
    /// The quality of the link, 0 to 255. A higher value is better. The maker of the controller defines what the values
    /// between 0 and 255 mean. Nil if the quality is unknown.
    package var quality: Int?

    package init(decibels: Int? = nil, isAbsolute: Bool = false, quality: Int? = nil) {
      self.decibels = decibels
      self.isAbsolute = isAbsolute
      self.quality = quality
    }

    /// The text for people.
    package var words: String {
      let strength =
        switch decibels {
        case nil: "signal unknown"
        case let level? where isAbsolute: "signal \(level) dBm"
        case 0?: "signal in the best range"
        case let level?:
          "signal \(level.magnitude) dB \(level < 0 ? "below" : "above") the best range"
        }
      return quality.map { "\(strength), quality \($0) of 255" } ?? strength
    }
  }
}
