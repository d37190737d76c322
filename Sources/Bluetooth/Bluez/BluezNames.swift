/// D-Bus names of BlueZ.
package enum BluezNames {
  package static let service = "org.bluez"
  /// The error if another operation of the same kind is in progress.
  package static let busy = "org.bluez.Error.Busy"
  package static let root = "/org/bluez"
  package static let adapter = "org.bluez.Adapter1"
  package static let device = "org.bluez.Device1"
  package static let control = "org.bluez.MediaControl1"
  package static let media = "org.bluez.Media1"
  package static let transport = "org.bluez.MediaTransport1"
  package static let endpoint = "org.bluez.MediaEndpoint1"
  package static let mediaPlayer = "org.bluez.MediaPlayer1"
  package static let agentManager = "org.bluez.AgentManager1"
  package static let agent = "org.bluez.Agent1"
  package static let properties = "org.freedesktop.DBus.Properties"
  package static let objectManager = "org.freedesktop.DBus.ObjectManager"

  /// The object path of an adapter, such as `hci0`.
  package static func path(ofAdapter id: String) -> String { "\(root)/\(id)" }

  package static let errorPrefix = "org.bluez.Error."
  /// The error if this client has already started the operation.
  package static let inProgress = errorPrefix + "InProgress"
  /// The error if the adapter is not powered.
  package static let notReady = errorPrefix + "NotReady"
  package static let alreadyExists = errorPrefix + "AlreadyExists"
  package static let rejected = errorPrefix + "Rejected"
  package static let canceled = errorPrefix + "Canceled"
  package static let reasonPrefix = "org.bluez.Reason."
}

/// The Bluetooth services that this program distinguishes. The raw value is the first part of the UUID of the service.
package enum BluezFeature: String, CaseIterable {
  case controller = "0000110e"
  case controllerService = "0000110f"
  case target = "0000110c"
  case source = "0000110a"
  case sink = "0000110b"
  case keyboard = "00001124"
  case lowEnergyKeyboard = "00001812"
  case handsFree = "0000111e"
  case handsFreeGateway = "0000111f"

  package static let base = "-0000-1000-8000-00805f9b34fb"

  /// The UUID as BlueZ writes it.
  package var uuid: String { rawValue + Self.base }

  package init?(uuid: String) {
    let uuid = uuid.lowercased()
    guard uuid.hasSuffix(Self.base) else { return nil }
    self.init(rawValue: String(uuid.prefix(8)))
  }

  /// The text that people see.
  package var label: String {
    switch self {
    case .controller, .controllerService: "controller"
    case .target: "target"
    case .source: "source"
    case .sink: "loudspeaker"
    case .keyboard, .lowEnergyKeyboard: "keys"
    case .handsFree: "hands-free"
    case .handsFreeGateway: "telephone"
    }
  }
}
