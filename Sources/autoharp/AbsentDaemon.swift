import Console
import Glibc

/// A daemon that nobody can talk to: says whether its socket is there, and answers alone what this
/// program knows of itself.
final class AbsentDaemon: ConsoleBackend {
  let descriptor: Int32 = -1
  let state: DaemonState
  var onEvent: ((ConsoleEvent) -> Void)?

  /// - Parameter socket: path of the control socket.
  init(socket path: String) {
    state =
      access(path, F_OK) == 0
      ? .dead(reason: "this program has no client for \(path)")
      : errno == EACCES ? .noPermission(socket: path) : .socketMissing(socket: path)
  }

  func prepare() -> Int32 { -1 }
  func turn() {}
  func cancel() {}

  func send(_ command: ConsoleCommand, completion: @escaping (ConsoleReply) -> Void) {
    completion(command == .version ? .done(Version.text) : .unreachable(state))
  }
}
