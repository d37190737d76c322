package import Reports

/// The way to the daemon. One thread; nothing in it blocks.
///
/// A console polls ``descriptor`` among its own, after ``prepare()``, and calls ``turn()`` when it is
/// readable or the time is over. Completions and events come from within `prepare`, `turn` and
/// `send`, never from another thread.
package protocol ConsoleBackend: AnyObject {
  /// Readable (POLLIN) when ``turn()`` has something to do; −1 while there is nothing to wait for.
  /// Asked before every wait, so that it may change with each connection. An sd-event loop's own
  /// descriptor will do.
  var descriptor: Int32 { get }

  /// How the daemon is.
  var state: DaemonState { get }

  /// Is called for what happens unasked. The console sets it once, before anything else.
  var onEvent: ((ConsoleEvent) -> Void)? { get set }

  /// Before a wait. Returns after how many milliseconds ``turn()`` is to be called in any case; −1
  /// is never.
  func prepare() -> Int32

  /// Works on what has come.
  func turn()

  /// Sends a command. Where the daemon cannot be asked, the backend answers itself, if it knows the
  /// answer (`version`, `log`), else `unreachable`.
  ///
  /// - Parameter completion: called at most once, also before `send` returns. `log -f` completes
  ///   when it ends.
  func send(_ command: ConsoleCommand, completion: @escaping (ConsoleReply) -> Void)

  /// Nobody waits for the last command any more: its completion is not called, and a `log -f` ends.
  func cancel()
}
