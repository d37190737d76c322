package import NowPlaying
package import Reports

/// What the daemon tells and does beyond Now Playing. Control thread; nothing in it blocks.
///
/// What may be refused returns nil where it was done.
package protocol ControlledUnit: AnyObject {
  /// Sessions, commands, state.
  var center: NowPlayingCenter { get }
  /// Facts with labels.
  func facts(_ topic: FactsTopic) -> FactsReport
  /// What is well and what is not, beyond Now Playing; each with what to do.
  var findings: [DiagnosisReport.Finding] { get }
  /// What happened to the sound lately, oldest first.
  var soundTrace: [TraceEntry] { get }
  /// How long commands took.
  func latency() -> LatencyTable
  /// The test sound, over the music.
  func playChime() -> Refusal?
  /// Something silences what plays (E4). One of a name at a time.
  func beginInterruption(_ reason: Interruption.Reason) -> Refusal?
  /// It is over.
  func endInterruption(_ reason: Interruption.Reason) -> Refusal?
  /// The whole machine.
  func power(_ action: PowerAction) -> Refusal?
  /// The album that plays, in its order; nil where it is of none.
  func album() -> AlbumReport?
  /// The notice that still holds. A client that begins to follow notices receives it at once.
  var standingNotice: UnitNotice? { get }
  /// Called with what people in the car should know. The control server sets it.
  var onNotice: ((UnitNotice) -> Void)? { get set }
  /// Called with what a knob or key asks of the screen's focus. The control server sets it.
  var onFocus: ((FocusMove) -> Void)? { get set }
  /// Jumps to an item of what comes next, or of the album, by its identity.
  func playQueueItem(_ id: String) -> Refusal?
  /// Phones; nil for a unit without.
  var phones: (any ControlledPhones)? { get }
  /// Whether the console may give a shell.
  var isShellAllowed: Bool { get }
  /// The last lines of the log, oldest first.
  func recentLog(limit: Int) -> [LogLine]
  /// Called with each new line. The control server sets it.
  var onLog: ((LogLine) -> Void)? { get set }
  /// Called with each command when no more is to come of it, and with what happens to the sound. The
  /// control server sets it.
  var onTrace: ((TraceEntry) -> Void)? { get set }
  /// Called with each press of a key that means nothing, in words. The control server sets it.
  var onUnknownKey: ((String, MonotonicInstant) -> Void)? { get set }
}
