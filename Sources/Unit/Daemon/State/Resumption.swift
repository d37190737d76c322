internal import Files
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

/// Stores the track with which the unit's own music continues after a start, or when the removed medium of this track
/// is inserted again. Also stores whether the track then plays.
///
/// Created before the head unit, because Now Playing asks this object about each command that arrives before music was
/// found: ``note(_:isOfPerson:)`` answers whether the command takes effect later. Reads no file and sends no command:
/// ``MusicFolders`` reports what was found and what has failed, and starts playback.
///
/// Used on the control thread; no call blocks.
final class Resumption {
  /// A track, and the position in it.
  struct Position {
    var path: String
    var location: FileLocation?
    var seconds: Double
    /// True if the track plays when its medium is inserted again.
    var plays: Bool
  }

  /// The state that the last run saved. Nil after its track was found, or after another track has started.
  private(set) var lastRun: UnitState?
  /// The track that was lost because its medium was removed.
  private(set) var lost: Position?
  /// The first track whose medium reported an error. A removed stick reports errors for a moment before it is
  /// unmounted. So only the start of another track, or the next search, decides whether this track is lost.
  private(set) var suspect: Position?
  /// True if the track of the last run plays when it is found.
  private(set) var playsLastRun: Bool
  /// True if the user has pressed *play* before music was found. The first music that is found then plays.
  private(set) var isPlayAsked = false
  /// True while no music was found and the search still runs.
  private var isMusicSought = false
  /// The track of the last run and the position in this track, while its medium is missing. Nil otherwise.
  private(set) var awaitedPosition: RecentListSaver.Awaited?

  /// True if no earlier run has saved a track.
  let isFirstRun: Bool

  /// - Parameter state: the state that the last run saved.
  init(_ plan: StartPlan, _ state: UnitState) {
    isFirstRun = state.file == nil
    lastRun = state
    playsLastRun = plan.playsMusic
  }

  // MARK: What is waited for

  /// True if this object waits for a track whose file is known.
  var waitsForTrack: Bool { lastRun?.file != nil || lost != nil }

  /// True while the saved position must be kept, because the file of this position was not found yet.
  var keepsSavedPosition: Bool { lastRun != nil || lost != nil }

  /// The file to search for: the file of the last run, the lost file, or the file that is perhaps lost.
  var fileToFind: FileLocation? { lastRun?.file ?? lost?.location ?? suspect?.location }

  /// Records the progress of the search. ``MusicFolders`` calls this in each turn.
  /// - Parameters:
  ///   - isMusicSought: true while no music was found and the search still runs.
  ///   - awaitedPosition: see ``awaitedPosition``.
  func update(isMusicSought: Bool, awaitedPosition: RecentListSaver.Awaited?) {
    self.isMusicSought = isMusicSought
    self.awaitedPosition = awaitedPosition
  }

  // MARK: Early commands

  /// Records a command that arrives before music was found. Returns true if the command takes effect when music is
  /// found.
  ///
  /// - Parameter isOfPerson: false if a device has sent *play* by itself, as some phones do when they connect at the
  ///   start of the unit.
  func note(_ request: MediaRequest, isOfPerson: Bool) -> Bool {
    guard isMusicSought else { return false }
    let wasAsked = playsLastRun || isPlayAsked
    switch request {
    case .play where !isOfPerson: return false
    case .togglePlayPause where !isOfPerson && !wasAsked: return false
    case .play: isPlayAsked = true
    case .togglePlayPause where !wasAsked: isPlayAsked = true
    case .togglePlayPause, .pause, .stop: (playsLastRun, isPlayAsked) = (false, false)
    default: return false
    }
    return true
  }

  /// Returns true once if the user has pressed *play* before music was found.
  func takePlayAsked() -> Bool {
    defer { isPlayAsked = false }
    return isPlayAsked
  }

  // MARK: What happens

  /// Waits for the file at `location` instead of the file that the last run saved.
  func wait(for location: FileLocation) {
    var state = lastRun ?? UnitState()
    state.file = location
    state.elapsed = .zero
    lastRun = state
  }

  /// Changes the location of the file for which this object waits, because the file was moved.
  func move(to location: FileLocation) {
    if lastRun != nil { lastRun?.file = location } else { lost?.location = location }
  }

  /// Must be called when the track of the last run was found, or if the last run has saved no track.
  func endLastRun() { lastRun = nil }

  /// Must be called when the lost track was found.
  func endLoss() { lost = nil }

  /// Must be called when a track has started. After this call, the object waits for no track.
  func trackStarted() {
    lastRun = nil
    lost = nil
    suspect = nil
    isPlayAsked = false
  }

  /// Records a track whose medium has reported an error.
  func setSuspect(_ position: Position) { suspect = position }

  /// Forgets the track whose medium has reported an error.
  func clearSuspect() { suspect = nil }

  /// Records a track that was lost because its medium was removed.
  func lose(_ position: Position) {
    lost = position
    suspect = nil
  }
}
