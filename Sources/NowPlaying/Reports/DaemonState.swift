package import NowPlaying

/// The state of the daemon as a client sees it.
package enum DaemonState: Hashable, Sendable {
  case connected
  /// The socket exists, but no process listens on it.
  case dead(reason: String?)
  /// The service manager reports that the daemon was stopped on request. It possibly starts again.
  case stopped
  /// The connection exists or waits to be accepted, but the daemon does not answer.
  case hangs(since: Duration)
  /// The daemon ends soon after each start, and the service manager starts it again.
  case restarting(count: Int, reason: String?)
  /// The client has no permission to open the socket.
  case noPermission(socket: String)
  /// The socket does not exist.
  case socketMissing(socket: String)

  /// True if the daemon has ended, and the service manager starts it again without a command of a person.
  package var restartsByItself: Bool {
    switch self {
    case .dead, .restarting: true
    case .connected, .hangs, .stopped, .noPermission, .socketMissing: false
    }
  }

  // MARK: The texts for people

  /// The description of the fault; nil if there is none.
  package var finding: String? {
    switch self {
    case .connected: nil
    case .dead(let reason): "The daemon has ended" + Self.because(reason)
    case .stopped: "The daemon was stopped."
    case .hangs(let time):
      "The daemon does not respond: no answer for \(time.roundedSeconds.plain) s."
    case .restarting(let count, let reason):
      "The daemon restarts in a loop, \(count) times so far" + Self.because(reason)
    case .noPermission(let socket): "No permission to open \(socket)."
    case .socketMissing(let socket): "The daemon is not running: there is no socket \(socket)."
    }
  }

  /// The remedy for the fault; nil if there is none.
  package var remedy: String? {
    switch self {
    case .connected: nil
    case .dead: "The service manager starts it again; 'log' shows why it ended."
    case .stopped: "If it does not start again, 'service restart daemon' starts it."
    case .hangs: "The watchdog restarts it soon; 'log' shows its last lines."
    case .restarting: "'log' shows why it ends; 'config' shows its settings."
    case .noPermission: "Use root, or a user in the group that owns the socket."
    case .socketMissing: "Start it: systemctl start autoharp; or autoharp serve --socket PATH."
    }
  }

  /// The reason why the client cannot use the daemon; nil if the client is connected.
  package var refusal: Refusal? { finding.map { Refusal(.unreachable, $0, remedy: remedy) } }

  /// A word for programs.
  package var word: String {
    switch self {
    case .connected: "connected"
    // One word for both, because programs only have to know that no process listens.
    case .dead, .stopped: "dead"
    case .hangs: "hangs"
    case .restarting: "restarting"
    case .noPermission: "noPermission"
    case .socketMissing: "socketMissing"
    }
  }

  private static func because(_ reason: String?) -> String {
    reason.map { ": \($0)" } ?? "; the reason is unknown."
  }
}
