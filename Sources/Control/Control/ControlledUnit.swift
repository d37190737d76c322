package import NowPlaying
package import Reports

/// Functions of the daemon in addition to Now Playing. Control thread; no call blocks.
///
/// A method that returns a refusal returns nil if the action was done.
package protocol ControlledUnit: AnyObject {
  /// The sessions, commands and state of Now Playing.
  var center: NowPlayingCenter { get }
  /// The messages that the control server sends to the clients in the next turn.
  var outbox: UnitOutbox { get }
  /// Collects the facts about a topic, and passes them to `completion` within a second.
  func facts(_ topic: FactsTopic, completion: @escaping (FactsReport) -> Void)
  /// Runs the checks of all parts other than Now Playing, and passes the results with their remedies to `completion`
  /// within a second.
  func findings(completion: @escaping ([DiagnosisReport.Finding]) -> Void)
  /// Recent events of the sound, oldest first.
  var soundTrace: [TraceEntry] { get }
  /// The table of command latencies.
  func latency() -> LatencyTable
  /// Plays the test sound over the music.
  func playChime() -> Refusal?

  /// Plays a tone on each channel, one after the other, over the music.
  func testSound() -> Refusal?
  /// Ends safe mode: the daemon ends, and the service manager starts it normally.
  func endSafeMode() -> Refusal?
  /// Begins a hold: the client interrupts or ducks the sound. Two equal holds are not possible at the same time.
  /// - Parameters:
  ///   - time: the time after which the hold ends by itself. Nil for no time limit.
  ///   - outlives: true if the hold stays when its client disconnects or the daemon starts again.
  func begin(_ hold: SoundHold, for time: Duration?, outlives: Bool) -> Refusal?
  /// Ends a hold.
  /// - Parameter shouldResume: false if the content that the interruption has paused must stay paused.
  func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal?
  /// Reboots the machine or switches it off.
  func power(_ action: PowerAction) -> Refusal?
  /// Reboots the machine, and erases the personal data before the daemon starts again. `completion` gets nil as soon as
  /// it is certain that the data will be erased, even after a power cut.
  func erasePersonalData(completion: @escaping (Refusal?) -> Void)
  /// The album that plays, with its tracks in the order of the album. Nil if the content belongs to no album.
  func album() -> AlbumReport?
  /// The current standing notice. A client that begins to follow notices receives this notice at once.
  var standingNotice: UnitNotice? { get }
  /// Returns and removes the notices that no client has received. In each turn, the control server sends these notices
  /// to the clients that follow notices. If no client follows notices, the notices wait for the first client that
  /// begins to follow them.
  func takeNotices() -> [UnitNotice]
  /// The state of the car, as far as the unit knows it. A client that begins to follow the vehicle receives this state
  /// at once.
  var vehicle: VehicleState { get }
  /// Sets whether the car is parked. Used if no wire of the car provides this. Nil if unknown.
  func setParked(_ isParked: Bool?) -> Refusal?
  /// The settings that the driver can change.
  var driverSettings: any ControlledSettings { get }
  /// The phones. Nil for a unit without Bluetooth.
  var phones: (any ControlledPhones)? { get }
  /// The library. Nil for a unit without a library.
  var library: (any ControlledLibrary)? { get }
  /// Makes sources of programs. Nil if the unit does not permit it.
  var apps: (any ControlledApps)? { get }
  /// The queue of the local player.
  var queue: any ControlledQueue { get }
  /// The playlists of the unit itself.
  var playlists: any ControlledPlaylists { get }
  /// True if the console is permitted to start a shell.
  var isShellAllowed: Bool { get }
  /// The last lines of the log, oldest first.
  func recentLog(limit: Int) -> [LogLine]
}
