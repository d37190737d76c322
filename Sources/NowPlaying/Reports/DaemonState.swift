/// The state of the daemon as a client sees it.
package enum DaemonState: Hashable, Sendable {
  case connected
  /// The socket exists, but no process listens on it.
  case dead(reason: String?)
  /// The daemon accepts or holds the connection, but does not answer.
  case hangs(since: Duration)
  /// The daemon ends again after each start.
  case restarting(count: Int, reason: String?)
  /// The client may not open the socket.
  case noPermission(socket: String)
  /// The socket does not exist.
  case socketMissing(socket: String)
}
