internal import EventLoop
package import Reports

/// Why something that was asked of the daemon was not answered.
package enum ControlError: Error, Equatable, CustomStringConvertible {
  /// The daemon said no, in words.
  case refused(String)
  /// The daemon does not let this user do that.
  case notAllowed(String)
  /// It cannot be asked.
  case unreachable(DaemonState)
  /// It did not answer in time.
  case noAnswer
  /// What it answered is not what it should be.
  case unreadable(String)

  static let failedName = ControlInterface.errorPrefix + "Failed"
  /// Errors that are an answer of the head unit, and no mistake of the caller's.
  static let refusedName = ControlInterface.errorPrefix + "Refused"

  /// From an answer that is none.
  init(_ error: BusError, _ state: DaemonState) {
    switch error {
    case .remote(BusErrorName.accessDenied, let words): self = .notAllowed(words)
    case .remote(let name, let words): self = .refused(words.isEmpty ? name : words)
    case .timedOut: self = .noAnswer
    case .disconnected: self = .unreachable(state)
    case .notSendable, .wrongType, .system: self = .unreadable(error.description)
    }
  }

  /// In words.
  package var description: String {
    switch self {
    case .refused(let words), .notAllowed(let words): words
    case .unreachable: "the daemon cannot be reached"
    case .noAnswer: "no answer in time"
    case .unreadable(let words): "the daemon's answer cannot be read: \(words)"
    }
  }
}
