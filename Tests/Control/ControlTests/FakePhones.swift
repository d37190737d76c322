import Control
import EventLoop
import NowPlaying
import Reports

/// Fake phones. They record the requests in `done`.
final class FakePhones: ControlledPhones {
  var state = FakePhones.full { didSet { turns.request() } }
  private let turns: Turns
  var done: [String] = []
  /// The refusal of all requests. If it is nil, requests are accepted.
  var refusal: Refusal?

  init(_ turns: Turns) { self.turns = turns }

  /// A state in which no field of `PhonesState` has its default value.
  static let full = PhonesState(
    service: .ready,
    adapters: [
      .init(
        id: "hci0", address: "00:11:22:33:44:55", name: "Autoharp", isPowered: true,
        isDiscoverable: true, isPairable: true, hasPlayer: true)
    ],
    phones: [
      .init(
        address: "AA:BB:CC:DD:EE:FF", name: "Ann's", adapter: "hci0", isConnected: true,
        isControlling: true, hasPressedKey: true, isBonded: true,
        isTrusted: true, features: ["controller", "source"],
        signal: .init(decibels: -7, quality: 251), kind: .phone, plays: true, app: "Tunes",
        isFirstChoice: true, lastSeen: .milliseconds(77)),
      .init(address: "AA:BB:CC:DD:EE:00", name: "", adapter: "hci0"),
    ],
    pairingUntil: .milliseconds(1234),
    request: .init(number: 3, address: "AA:BB:CC:DD:EE:11", name: "Bo", passkey: "000042"),
    isSearching: true, adding: "Ring",
    found: [
      .init(address: "AA:BB:CC:DD:EE:22", name: "Ring", adapter: "hci0", features: ["keys"])
    ])

  private func perform(_ request: String) -> Refusal? {
    if refusal == nil { done.append(request) }
    return refusal
  }

  func openPairing(for time: Duration?) -> Refusal? {
    perform("open \(time.map { "\($0)" } ?? "-")")
  }
  func find(for time: Duration?) -> Refusal? { perform("find \(time.map { "\($0)" } ?? "-")") }
  func add(_ device: String, answer: @escaping (Result<String, Refusal>) -> Void) {
    answer(perform("add \(device)").map { .failure($0) } ?? .success("paired"))
  }
  func closePairing() { done.append("close") }
  func answerPairing(_ number: Int, accepts: Bool) -> Refusal? {
    guard state.request?.number == number else {
      return Refusal(.noPairingRequest, "this request is not pending")
    }
    return perform("answer \(number) \(accepts)")
  }
  func connect(_ phone: String, answer: @escaping (Result<String, Refusal>) -> Void) {
    answer(perform("connect \(phone)").map { .failure($0) } ?? .success("connected"))
  }
  func disconnect(_ phone: String, answer: @escaping (Refusal?) -> Void) {
    answer(perform("disconnect \(phone)"))
  }
  func rename(_ phone: String, to name: String, answer: @escaping (Refusal?) -> Void) {
    answer(perform("rename \(phone) \(name)"))
  }
  func setFirstChoice(_ phone: String) -> Refusal? { perform("first \(phone)") }
  func play(_ address: String, answer: @escaping (Refusal?) -> Void) {
    answer(perform("play \(address)"))
  }
  func forget(_ phone: String, answer: @escaping (Refusal?) -> Void) {
    answer(perform("forget \(phone)"))
  }
}
