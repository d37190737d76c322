import Console
import NowPlaying
import Synchronization
import Threads
import Reports

/// A backend without a daemon. The test controls its replies and events. The backend delivers them on the console's
/// thread.
final class ScriptedBackend: ConsoleBackend, @unchecked Sendable {
  private struct Shared {
    var actions: [@Sendable (ScriptedBackend) -> Void] = []
    var commands: [ConsoleCommand] = []
    var cancels = 0
  }

  private let shared = Mutex(Shared())
  private let wakeUp = WakeUp()
  /// The immediate reply to a command. If it is nil, the command has no reply until the test calls ``reply(_:)``.
  private let replies: @Sendable (ConsoleCommand) -> ConsoleReply?
  private var completion: ((ConsoleReply) -> Void)?
  var state: DaemonState
  var onEvent: ((ConsoleEvent) -> Void)?

  let password: String?
  private let obstacles: @Sendable (ConsoleCommand) -> Refusal?

  init(
    state: DaemonState = .connected,
    replies: @escaping @Sendable (ConsoleCommand) -> ConsoleReply? = { _ in nil },
    names: @escaping @Sendable (NameRequest) -> NameAnswer? = { _ in NameAnswer() },
    obstacles: @escaping @Sendable (ConsoleCommand) -> Refusal? = { _ in nil },
    password: String? = nil
  ) {
    self.password = password
    self.obstacles = obstacles
    self.state = state
    self.names = names
    self.replies = replies
  }

  // MARK: For the test

  var commands: [ConsoleCommand] { shared.withLock { $0.commands } }
  var cancels: Int { shared.withLock { $0.cancels } }

  func send(event: ConsoleEvent) { perform { $0.onEvent?(event) } }
  func reply(_ reply: ConsoleReply) { perform { $0.completion?(reply) } }

  private func perform(_ action: @escaping @Sendable (ScriptedBackend) -> Void) {
    shared.withLock { $0.actions.append(action) }
    wakeUp.signal()
  }

  // MARK: For the console

  var descriptor: Int32 { wakeUp.descriptor }
  func prepare() -> Int32 { -1 }

  func turn() {
    wakeUp.clear()
    let actions = shared.withLock { shared in
      defer { shared.actions = [] }
      return shared.actions
    }
    for action in actions { action(self) }
  }

  func obstacle(to command: ConsoleCommand) -> Refusal? { obstacles(command) }

  func send(_ command: ConsoleCommand, completion: @escaping (ConsoleReply) -> Void) {
    shared.withLock { $0.commands.append(command) }
    self.completion = completion
    if let reply = replies(command) { completion(reply) }
  }

  /// The answer to a lookup of names. If it is nil, there is no answer until the test calls ``answer(_:)``.
  let names: @Sendable (NameRequest) -> NameAnswer?
  private var nameCompletion: ((NameAnswer) -> Void)?
  func answer(_ names: NameAnswer) { perform { $0.nameCompletion?(names) } }

  func lookUp(_ request: NameRequest, completion: @escaping (NameAnswer) -> Void) {
    nameCompletion = completion
    if let answer = names(request) { completion(answer) }
  }

  func cancel() {
    shared.withLock { $0.cancels += 1 }
    completion = nil
  }
}

extension ConsoleReply {
  /// A reply with a text that the test chooses.
  static func done(_ text: String) -> ConsoleReply { .done(ConsoleMessage("test", text)) }
}

extension ConsoleEvent {
  /// A notice with a text that the test chooses.
  static func notice(_ text: String) -> ConsoleEvent { .notice(ConsoleMessage("test", text)) }
}
