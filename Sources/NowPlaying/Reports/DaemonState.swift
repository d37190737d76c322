/// How the daemon is, as seen from here.
package enum DaemonState: Hashable, Sendable {
  case connected
  /// There is its socket, and nobody behind it.
  case dead(reason: String?)
  /// It takes connections, or holds ours, and says nothing.
  case hangs(since: Duration)
  /// It ends again and again.
  case restarting(count: Int, reason: String?)
  /// Its socket may not be opened.
  case noPermission(socket: String)
  /// There is no socket.
  case socketMissing(socket: String)
}
