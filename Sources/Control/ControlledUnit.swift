package import NowPlaying
package import Reports

/// What the daemon tells and does beyond Now Playing. Control thread; nothing in it blocks.
///
/// What may be refused returns nil where it was done, or why not, in words.
package protocol ControlledUnit: AnyObject {
  /// Sessions, commands, state.
  var center: NowPlayingCenter { get }
  /// Facts with labels.
  func facts(_ topic: FactsTopic) -> FactsReport
  /// How long commands took.
  func latency() -> LatencyTable
  /// The test sound, over the music.
  func playChime() -> String?
  /// Something silences what plays (E4). One of a name at a time.
  func beginInterruption(_ reason: Interruption.Reason) -> String?
  /// It is over.
  func endInterruption(_ reason: Interruption.Reason) -> String?
  /// The whole machine.
  func power(_ action: PowerAction) -> String?
  /// Jumps to an item of what comes next, by its identity.
  func playQueueItem(_ id: String) -> String?
  /// Phones; nil for a unit without.
  var phones: (any ControlledPhones)? { get }
  /// Whether the console may give a shell.
  var isShellAllowed: Bool { get }
  /// The last lines of the log, oldest first.
  func recentLog(limit: Int) -> [LogLine]
  /// Called with each new line. The control server sets it.
  var onLog: ((LogLine) -> Void)? { get set }
  /// Called after each turn in which something about a command changed (accepted, answered, heard).
  /// The control server sets it.
  var onTrace: ((CommandRecord) -> Void)? { get set }
}
