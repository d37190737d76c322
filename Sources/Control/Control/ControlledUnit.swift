package import NowPlaying
package import Reports

/// Functions of the daemon beyond Now Playing. Control thread; no call blocks.
///
/// A call that can be refused returns nil if the action was done.
package protocol ControlledUnit: AnyObject {
  /// The sessions, commands and state of Now Playing.
  var center: NowPlayingCenter { get }
  /// Collects the facts about a topic, and passes them to `completion` within a second.
  func facts(_ topic: FactsTopic, completion: @escaping (FactsReport) -> Void)
  /// Makes the checks beyond Now Playing, and passes the results with their remedies to
  /// `completion` within a second.
  func findings(completion: @escaping ([DiagnosisReport.Finding]) -> Void)
  /// Recent events of the sound, oldest first.
  var soundTrace: [TraceEntry] { get }
  /// The table of command latencies.
  func latency() -> LatencyTable
  /// Plays the test sound over the music.
  func playChime() -> Refusal?
  /// Begins an interruption, which silences what plays (E4). Only one interruption with the same
  /// name is possible at a time.
  func beginInterruption(_ reason: Interruption.Reason) -> Refusal?
  /// Ends an interruption.
  func endInterruption(_ reason: Interruption.Reason) -> Refusal?
  /// Reboots the machine or switches it off.
  func power(_ action: PowerAction) -> Refusal?
  /// The album that plays, in its order. Nil if the content belongs to no album.
  func album() -> AlbumReport?
  /// The current standing notice. A client that begins to follow notices receives it at once.
  var standingNotice: UnitNotice? { get }
  /// Called with each notice for the people in the car. The control server sets it.
  var onNotice: ((UnitNotice) -> Void)? { get set }
  /// Called when a knob or key moves the screen's focus. The control server sets it.
  var onFocus: ((FocusMove) -> Void)? { get set }
  /// Jumps to an item of up next or of the album. `id` is the identity of the item.
  func playQueueItem(_ id: String) -> Refusal?
  /// The phones. Nil for a unit without Bluetooth.
  var phones: (any ControlledPhones)? { get }
  /// True if the console may start a shell.
  var isShellAllowed: Bool { get }
  /// The last lines of the log, oldest first.
  func recentLog(limit: Int) -> [LogLine]
  /// Called with each new line of the log. The control server sets it.
  var onLog: ((LogLine) -> Void)? { get set }
  /// Called with each command after its last step, and with each event of the sound. The control
  /// server sets it.
  var onTrace: ((TraceEntry) -> Void)? { get set }
  /// Called with each press of a key without a binding, as text. The control server sets it.
  var onUnknownKey: ((String, MonotonicInstant) -> Void)? { get set }
}
