internal import EventLoop
package import NowPlaying
package import Reports

/// The reason why a call to the daemon has no result.
package enum ControlError: Error, Equatable, CustomStringConvertible {
  /// The daemon refused the call.
  case refused(Refusal)
  /// The daemon does not permit the call to this user.
  case notAllowed(Refusal)
  /// The daemon cannot be reached.
  case unreachable(DaemonState)
  /// The daemon did not answer in time.
  case noAnswer
  /// The daemon's answer has an unexpected form.
  case unreadable(String)

  static let failedName = ControlInterface.errorPrefix + "Failed"
  /// The name of the D-Bus error for a refusal of the head unit. A mistake of the caller, such as an invalid argument,
  /// has another error name.
  static let refusedName = ControlInterface.errorPrefix + "Refused"

  /// Creates an error from an error answer, or from the failure to send a call or to read its answer.
  /// - Parameter details: the arguments of a remote error after its message: the code and the remedy.
  init(_ error: any Error, details: [String], _ state: DaemonState) {
    guard let error = error as? BusError else {
      self = .unreadable("\(error)")
      return
    }
    switch error {
    case .remote(let name, let message):
      let refusal = RefusalCoding.refusal(name, message, details)
      self = name == BusErrorName.accessDenied ? .notAllowed(refusal) : .refused(refusal)
    case .timedOut: self = .noAnswer
    case .disconnected: self = .unreachable(state)
    case .notSendable: self = .refused(Refusal(.invalidArguments, error.description))
    case .wrongType, .system: self = .unreadable(error.description)
    }
  }

  /// The error as a ``Refusal``.
  package var refusal: Refusal {
    switch self {
    case .refused(let refusal), .notAllowed(let refusal): refusal
    case .unreachable(let state):
      state.refusal ?? Refusal(.unreachable, "the daemon cannot be reached")
    case .noAnswer: Refusal(.noAnswer, "the daemon did not answer in time")
    case .unreadable(let reason):
      Refusal(.unreadableAnswer, "the answer of the daemon cannot be read: \(reason)")
    }
  }

  /// Text for people.
  package var description: String { refusal.description }
}
