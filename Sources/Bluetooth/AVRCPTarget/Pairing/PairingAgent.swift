internal import EventLoop

/// The agent that bluetoothd asks about pairing and services, on each of its starts. What is
/// answered, ``PairingPolicy`` decides.
final class PairingAgent {
  static let path = "/org/autoharp/agent"
  /// A number is shown, and yes or no can be said.
  private static let capability = "DisplayYesNo"

  /// A question, and how it is answered: nil is yes, else the words of the refusal.
  struct Asked {
    let device: String
    let question: PairingPolicy.Question
    let answer: (String?) -> Void
  }

  static let interface = BusInterface(
    BluezNames.agent,
    methods: [
      .init("Release"), .init("Cancel"),
      .init("RequestPinCode", [.init("device", "o")], returns: [.init("pin", "s")]),
      .init("DisplayPinCode", [.init("device", "o"), .init("pin", "s")]),
      .init("RequestPasskey", [.init("device", "o")], returns: [.init("passkey", "u")]),
      .init(
        "DisplayPasskey", [.init("device", "o"), .init("passkey", "u"), .init("entered", "q")]),
      .init("RequestConfirmation", [.init("device", "o"), .init("passkey", "u")]),
      .init("RequestAuthorization", [.init("device", "o")]),
      .init("AuthorizeService", [.init("device", "o"), .init("uuid", "s")]),
    ])

  private let isBluez: (String) -> Bool
  private let onAsked: (Asked) -> Void
  private let onCancel: () -> Void
  private(set) var isRegistered = false

  init(
    isBluez: @escaping (String) -> Bool, onAsked: @escaping (Asked) -> Void,
    onCancel: @escaping () -> Void
  ) {
    self.isBluez = isBluez
    self.onAsked = onAsked
    self.onCancel = onCancel
  }

  var object: BusObject {
    BusObject(
      path: Self.path, interfaces: [Self.interface],
      onCall: { [weak self] in self?.take($0) })
  }

  /// - Parameter completion: nil, or why bluetoothd does not want it.
  func register(_ bus: Bus, completion: @escaping (String?) -> Void) {
    isRegistered = false
    func ask(_ member: String, _ arguments: [BusValue], then: @escaping () -> Void) {
      bus.call(
        BluezNames.service, BluezNames.root, BluezNames.agentManager, member, arguments
      ) { result in
        switch result {
        // It was, and the answer got lost.
        case .success, .failure(.remote(name: BluezNames.alreadyExists, message: _)): then()
        case .failure(let error): completion(error.description)
        }
      }
    }
    ask("RegisterAgent", [.objectPath(Self.path), .string(Self.capability)]) { [weak self] in
      ask("RequestDefaultAgent", [.objectPath(Self.path)]) {
        self?.isRegistered = true
        completion(nil)
      }
    }
  }

  /// bluetoothd is gone.
  func forget() { isRegistered = false }

  private func take(_ call: MethodCall) {
    guard isBluez(call.message.sender) else {
      return call.fail(BusErrorName.accessDenied, "only bluetoothd may call this")
    }
    var arguments = call.arguments
    let device = (try? arguments.objectPath()) ?? ""
    func ask(_ question: PairingPolicy.Question) {
      onAsked(
        Asked(device: device, question: question) { refusal in
          if let refusal { call.fail(BluezNames.rejected, refusal) } else { call.reply() }
        })
    }
    switch call.member {
    case "Release":
      isRegistered = false
      onCancel()
      call.reply()
    case "Cancel":
      onCancel()
      call.reply()
    case "RequestConfirmation":
      ask(.confirm(passkey: UInt32(clamping: (try? arguments.integer()) ?? .max)))
    case "RequestAuthorization": ask(.withoutNumber)
    case "AuthorizeService": ask(.service(uuid: (try? arguments.string()) ?? ""))
    default: ask(.secret)
    }
  }
}
