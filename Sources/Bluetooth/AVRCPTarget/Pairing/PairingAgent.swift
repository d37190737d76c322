internal import Bluez
internal import EventLoop

/// The agent that bluetoothd calls for decisions about pairing and services. It is registered at each start of
/// bluetoothd. ``PairingPolicy`` makes the decisions.
final class PairingAgent {
  static let path = "/org/autoharp/agent"
  /// The unit can show a number, and a person can answer yes or no.
  private static let capability = "DisplayYesNo"

  /// A question of bluetoothd. The receiver calls `answer` with nil to accept, or with the reason of the refusal.
  struct AgentRequest {
    let device: String
    let question: PairingPolicy.Question
    let answer: (PairingFailure?) -> Void
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

  private let client: BluezClient
  /// Called with each question.
  var onRequest: ((AgentRequest) -> Void)?
  /// Called when bluetoothd cancels a question.
  var onCancel: (() -> Void)?
  private(set) var isRegistered = false

  init(_ client: BluezClient) { self.client = client }

  var object: BusObject {
    BusObject(
      path: Self.path, interfaces: [Self.interface],
      onCall: { [weak self] in self?.handle($0) })
  }

  /// - Parameter completion: called with nil, or with the reason why bluetoothd does not accept the agent.
  func register(completion: @escaping (String?) -> Void) {
    isRegistered = false
    client.registerAgent(Self.path, capability: Self.capability) { [weak self] result in
      switch result {
      case .success:
        self?.isRegistered = true
        completion(nil)
      case .failure(let error): completion(error.description)
      }
    }
  }

  /// Must be called when bluetoothd has ended.
  func forget() { isRegistered = false }

  private func handle(_ call: MethodCall) {
    guard client.isBluez(call.message.sender) else {
      return call.fail(BusErrorName.accessDenied, "only bluetoothd may call this")
    }
    var arguments = call.arguments
    let device = (try? arguments.objectPath()) ?? ""
    func ask(_ question: PairingPolicy.Question) {
      onRequest?(
        AgentRequest(device: device, question: question) { failure in
          if let failure {
            call.fail(BluezNames.rejected, failure.description)
          } else {
            call.reply()
          }
        })
    }
    switch call.member {
    case "Release":
      isRegistered = false
      onCancel?()
      call.reply()
    case "Cancel":
      onCancel?()
      call.reply()
    case "RequestConfirmation":
      ask(.confirm(passkey: UInt32(clamping: (try? arguments.integer()) ?? .max)))
    case "RequestAuthorization": ask(.withoutNumber)
    case "AuthorizeService": ask(.service(uuid: (try? arguments.string()) ?? ""))
    default: ask(.secret)
    }
  }
}
