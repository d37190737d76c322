package import NowPlaying
package import Reports

/// The console's connection to the daemon. It is used on one thread, and no call blocks.
///
/// The console calls ``prepare()``, polls ``descriptor`` together with its own descriptors, and calls ``turn()`` when
/// the descriptor is readable or when the time that `prepare` returned has passed. Completions and ``onEvent`` are
/// called only from within `prepare`, `turn` and `send`, never on another thread.
package protocol ConsoleBackend: AnyObject {
  /// A descriptor that is readable (POLLIN) when ``turn()`` has something to do. −1 if there is nothing to wait for.
  /// The backend is permitted to change the descriptor: the console reads this property before every wait. The
  /// descriptor of an sd-event loop is suitable.
  var descriptor: Int32 { get }

  /// The state of the daemon.
  var state: DaemonState { get }

  /// Called for events that are not replies. The console sets this closure once, before any other call.
  var onEvent: ((ConsoleEvent) -> Void)? { get set }

  /// Called before each wait. Returns the time in milliseconds after which ``turn()`` must be called even if the
  /// descriptor is not readable. −1 means no limit.
  func prepare() -> Int32

  /// Processes the data that has arrived.
  func turn()

  /// Sends a command. If the daemon cannot be reached, the backend itself replies. For some commands, such as `version`
  /// and `log`, the backend has a result without the daemon. For all other commands, the reply is `unreachable`.
  ///
  /// - Parameter completion: called at most once, possibly before `send` returns. For `log -f`, it is called only if
  ///   the log cannot be followed.
  func send(_ command: ConsoleCommand, completion: @escaping (ConsoleReply) -> Void)

  /// The reason for which a command cannot be carried out, if it is known at once. The console shows it before it asks
  /// the user to confirm the command.
  func obstacle(to command: ConsoleCommand) -> Refusal?

  /// The password that the user must type before a command that ``ConsoleCommand/needsPassword``. Nil for none.
  var password: String? { get }

  /// Looks up names of the library for a completion. The running command is not affected.
  ///
  /// - Parameter completion: called once, within half a second, possibly before `lookUp` returns. If not all names are
  ///   known by then, `completion` gets the known names. If another lookup begins before the answer, `completion` is
  ///   not called.
  func lookUp(_ request: NameRequest, completion: @escaping (NameAnswer) -> Void)

  /// Cancels the last command. Its completion is not called, and `log -f` ends.
  func cancel()
}

extension ConsoleBackend {
  package func obstacle(to command: ConsoleCommand) -> Refusal? { nil }
  package var password: String? { nil }
}
