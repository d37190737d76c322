package import Reports

/// The console's connection to the daemon. One thread; no call blocks.
///
/// The console calls ``prepare()``, polls ``descriptor`` together with its own descriptors, and
/// calls ``turn()`` when the descriptor is readable or the time has passed. Completions and events
/// are called from within `prepare`, `turn` and `send`, never on another thread.
package protocol ConsoleBackend: AnyObject {
  /// Readable (POLLIN) when ``turn()`` has something to do. −1 if there is nothing to wait for. The
  /// console reads this property before every wait, so it may change with each connection. The
  /// descriptor of an sd-event loop is suitable.
  var descriptor: Int32 { get }

  /// The state of the daemon.
  var state: DaemonState { get }

  /// Called for events that are not replies. The console sets it once, before any other call.
  var onEvent: ((ConsoleEvent) -> Void)? { get set }

  /// Called before each wait. Returns the time in milliseconds after which ``turn()`` must be
  /// called in any case; −1 for no limit.
  func prepare() -> Int32

  /// Processes what has arrived.
  func turn()

  /// Sends a command. If the daemon cannot be asked, the backend answers itself: with a result if
  /// it has one (`version`, `log`), else with `unreachable`.
  ///
  /// - Parameter completion: called at most once, possibly before `send` returns. For `log -f` it
  ///   is called when the command ends.
  func send(_ command: ConsoleCommand, completion: @escaping (ConsoleReply) -> Void)

  /// Cancels the last command: its completion is not called, and `log -f` ends.
  func cancel()
}
