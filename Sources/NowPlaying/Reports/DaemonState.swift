/// The state of the daemon as a client sees it.
package enum DaemonState: Hashable, Sendable {
  case connected
  /// The socket exists, but no process listens on it.
  case dead(reason: String?)
  /// The connection exists or waits to be accepted, but the daemon does not answer.
  case hangs(since: Duration)
  /// The daemon ends soon after each start, and is started again.
  case restarting(count: Int, reason: String?)
  /// The client has no permission to open the socket.
  case noPermission(socket: String)
  /// The socket does not exist.
  case socketMissing(socket: String)

  /// True if the service manager has started the daemon, and starts it again.
  package var restartsByItself: Bool {
    switch self {
    case .dead, .hangs, .restarting: true
    case .connected, .noPermission, .socketMissing: false
    }
  }
}
