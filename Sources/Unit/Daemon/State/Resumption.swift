internal import Files
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

/// The track to which the unit's own music returns: after a start, and after its medium was removed. Also whether it
/// then plays.
///
/// Exists before the head unit, because Now Playing asks whether an early command is carried out later. Reads no file
/// and gives no command: ``MusicFolders`` says what was found and what has failed, and carries out the rest.
///
/// Used on the control thread; no call blocks.
final class Resumption {
  /// A track, and the position in it.
  struct Position {
    var path: String
    var location: FileLocation?
    var seconds: Double
    /// True if the track plays when its medium returns.
    var plays: Bool
  }

  /// The state that the last run saved, while its track was not found. Nil when other music has started.
  private(set) var lastRun: UnitState?
  /// The track that was lost with its medium.
  private(set) var lost: Position?
  /// The first track whose medium reported an error. A removed stick reports errors for a moment before it is
  /// unmounted, so the next track that starts, or the next search, decides whether it is lost.
  private(set) var suspect: Position?
  /// True if the track of the last run plays when it is found.
  private(set) var playsLastRun: Bool
  /// True if a person has asked for music before any was found. The first music then plays.
  private(set) var isPlayAsked = false
  /// True if no music was found yet, and some may still be.
  private var isMusicSought = false
  /// The position in the track of the last run, while its medium is missing.
  private(set) var awaitedPosition: RecentListSaver.Awaited?

  /// - Parameter state: what the last run saved.
  init(_ plan: StartPlan, _ state: UnitState) {
    lastRun = state
    playsLastRun = plan.playsMusic
  }

  // MARK: What is waited for

  /// True if a known track is waited for.
  var waitsForTrack: Bool { lastRun?.file != nil || lost != nil }

  /// True while the saved position must be kept, because its music is missing.
  var keepsSavedPosition: Bool { lastRun != nil || lost != nil }

  /// The file to look for: the one that is waited for, or that may be lost.
  var fileToFind: FileLocation? { lastRun?.file ?? lost?.location ?? suspect?.location }

  /// Notes how far the search is. ``MusicFolders`` calls this in each turn.
  /// - Parameters:
  ///   - isMusicSought: see ``note(_:isOfPerson:)``.
  ///   - awaitedPosition: see ``awaitedPosition``.
  func update(isMusicSought: Bool, awaitedPosition: RecentListSaver.Awaited?) {
    self.isMusicSought = isMusicSought
    self.awaitedPosition = awaitedPosition
  }

  // MARK: Early commands

  /// Notes a command that has arrived before any music was found. Returns true if it is carried out then.
  ///
  /// - Parameter isOfPerson: false if *play* does not come from a person: a phone that connects at the start of the
  ///   unit presses PLAY by itself.
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

  /// True, once, if a person has asked for music before any was found.
  func takePlayAsked() -> Bool {
    defer { isPlayAsked = false }
    return isPlayAsked
  }

  // MARK: What happens

  /// Waits for another file than the one that the last run saved.
  func wait(for location: FileLocation) {
    var state = lastRun ?? UnitState()
    state.file = location
    state.elapsed = .zero
    lastRun = state
  }

  /// The file that is waited for was moved.
  func move(to location: FileLocation) {
    if lastRun != nil { lastRun?.file = location } else { lost?.location = location }
  }

  /// The track of the last run was found, or it had none.
  func endLastRun() { lastRun = nil }

  /// The track that was lost was found.
  func endLoss() { lost = nil }

  /// A track has started, so nothing is waited for.
  func trackStarted() {
    lastRun = nil
    lost = nil
    suspect = nil
    isPlayAsked = false
  }

  /// A medium has reported an error in a track.
  func setSuspect(_ position: Position) { suspect = position }

  /// The track with the error is still there.
  func clearSuspect() { suspect = nil }

  /// A track was lost with its medium.
  func lose(_ position: Position) {
    lost = position
    suspect = nil
  }
}
