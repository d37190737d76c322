internal import EventLoop
package import NowPlaying
package import Reports

/// Why something that was asked of the daemon was not answered.
package enum ControlError: Error, Equatable, CustomStringConvertible {
  /// The daemon said no.
  case refused(Refusal)
  /// The daemon does not let this user do that.
  case notAllowed(Refusal)
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
  /// - Parameter details: the further arguments of a remote error.
  init(_ error: BusError, details: [String], _ state: DaemonState) {
    switch error {
    case .remote(let name, let words):
      let refusal = RefusalCoding.refusal(name, words, details)
      self = name == BusErrorName.accessDenied ? .notAllowed(refusal) : .refused(refusal)
    case .timedOut: self = .noAnswer
    case .disconnected: self = .unreachable(state)
    case .notSendable, .wrongType, .system: self = .unreadable(error.description)
    }
  }

  /// The same in the shape that all refusals have.
  package var refusal: Refusal {
    switch self {
    case .refused(let refusal), .notAllowed(let refusal): refusal
    case .unreachable(let state):
      state.refusal ?? Refusal(.unreachable, "the daemon cannot be reached")
    case .noAnswer: Refusal(.noAnswer, "no answer in time")
    case .unreadable(let words):
      Refusal(.unreadableAnswer, "the daemon's answer cannot be read: \(words)")
    }
  }

  /// In words.
  package var description: String { refusal.description }
}
