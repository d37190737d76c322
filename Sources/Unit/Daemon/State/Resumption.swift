internal import Files
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

/// The track to which the unit's own music returns: after a start, and after its medium was removed. Also whether it then
/// plays.
///
/// Exists before the head unit, because Now Playing asks whether an early command is carried out later. Reads no file and
/// gives no command: ``MusicFolders`` says what was found and what has failed, and carries out the rest.
///
/// Used on the control thread; no call blocks.
final class Resumption {
  /// The track for which the unit waits.
  enum Awaited {
    case nothing
    /// The track of the last run: it was not found yet, or its medium is missing.
    case lastRun(UnitState)
    /// A track that was lost with its medium.
    case lost(Position)
  }

  /// A track, and the position in it.
  struct Position {
    var path: String
    var place: FilePlace?
    var seconds: Double
    /// True if the track plays when its medium returns.
    var plays: Bool
  }

  private(set) var awaited: Awaited
  /// The first track whose medium reported an error. A removed stick reports errors for a moment before it is unmounted,
  /// so the next track that starts, or the next search, decides whether it is lost.
  private(set) var suspect: Position?
  /// True if the track of the last run plays when it is found.
  private(set) var playsLastRun: Bool
  /// True if a person has asked for music before any was found. The first music then plays.
  private(set) var isPlayAsked = false
  /// True if no music was found yet, and some may still be.
  private var isMusicSought = false

  /// - Parameter state: what the last run saved.
  init(_ plan: StartPlan, _ state: UnitState) {
    awaited = .lastRun(state)
    playsLastRun = plan.playsMusic
  }

  // MARK: What is waited for

  /// The state of the last run, while its track is waited for.
  var lastRun: UnitState? { if case .lastRun(let state) = awaited { state } else { nil } }

  /// The track that was lost with its medium.
  var lost: Position? { if case .lost(let position) = awaited { position } else { nil } }

  /// True if a known track is waited for.
  var waitsForTrack: Bool { lastRun?.file != nil || lost != nil }

  /// True while the saved position must be kept, because its music is missing.
  var keepsSavedPosition: Bool { if case .nothing = awaited { false } else { true } }

  /// The file that is waited for, or that may be lost.
  var file: FilePlace? {
    switch awaited {
    case .lastRun(let state): state.file ?? suspect?.place
    case .lost(let position): position.place
    case .nothing: suspect?.place
    }
  }

  /// The file that waits for its medium, below its volume. Nil if no file waits.
  func awaitedPlace(_ volumes: PresentVolumes) -> MovedFileSearch.Place? {
    guard let place = lastRun?.file ?? lost?.place else { return nil }
    if let stick = place.stick {
      return MovedFileSearch.Place(
        volume: stick.identity, path: Array(place.path.dropFirst(stick.pointBytes + 1)))
    }
    let path = FileName.text(place.path)
    guard let slash = path.unicodeScalars.lastIndex(of: "/"),
      let volume = volumes.place(containing: String(path[..<slash])), let root = volume.path
    else { return nil }
    return MovedFileSearch.Place(
      volume: volume.identity, path: Array(place.path.dropFirst(root.utf8.count + 1)))
  }

  /// The position of the last run, while its file waits for its medium.
  func awaitedPosition(_ volumes: PresentVolumes) -> RecentPlaces.Awaited? {
    guard let lastRun, let place = awaitedPlace(volumes) else { return nil }
    return RecentPlaces.Awaited(file: place, elapsed: lastRun.elapsed)
  }

  // MARK: Early commands

  /// Notes whether a command that finds no music is carried out later.
  func setMusicSought(_ isSought: Bool) { isMusicSought = isSought }

  /// Notes a command that has arrived before any music was found. Returns true if it is carried out then.
  ///
  /// - Parameter isOfPerson: false if *play* does not come from a person: a phone that connects at the
  ///   start of the unit presses PLAY by itself.
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
  func wait(for place: FilePlace) {
    var state = lastRun ?? UnitState()
    state.file = place
    state.elapsed = .zero
    awaited = .lastRun(state)
  }

  /// The file that waits is at another place now.
  func move(to place: FilePlace) {
    switch awaited {
    case .lastRun(var state):
      state.file = place
      awaited = .lastRun(state)
    case .lost(var position):
      position.place = place
      awaited = .lost(position)
    case .nothing: break
    }
  }

  /// The track that was waited for is there, or nothing is to be found.
  func end() { awaited = .nothing }

  /// A track has started, so nothing is waited for.
  func trackStarted() {
    awaited = .nothing
    suspect = nil
    isPlayAsked = false
  }

  /// A medium has reported an error in a track.
  func setSuspect(_ position: Position) { suspect = position }

  /// The track with the error is still there.
  func clearSuspect() { suspect = nil }

  /// A track was lost with its medium.
  func lose(_ position: Position) {
    awaited = .lost(position)
    suspect = nil
  }
}
