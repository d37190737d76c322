public import AudioCodecs
public import AudioEngine
public import MusicFiles
public import NowPlaying

/// Plays a queue of files through the engine.
///
/// Used on the control thread only. Never blocks. The engine's threads do the work that takes time, and
/// ``handleEvents()`` receives their results.
public final class LocalPlayer {
  /// *Previous* returns to the start of a track that has played longer than this time.
  public static let restartSeconds = 3.0

  let engine: PlaybackEngine
  /// The order, repeat and shuffle.
  public internal(set) var queue: PlayQueue<MusicFile>
  /// The state that surfaces show.
  public internal(set) var state: State
  /// The list that was chosen, or the list that was added last with ``extend(with:from:)``. Nil for a queue of all
  /// files.
  public var context: QueueContext? { queue.context }
  /// True if a person has chosen or edited the queue. Then ``setFiles(_:)`` must not be called.
  public var hasChosenQueue: Bool { queue.isChosen }

  /// The file that was heard before the current file in the last run. Nil as soon as the queue has this file.
  var heardBefore: HeardBefore?
  /// The positions in long files that were left by *next* or a jump, the latest last.
  var leftPositions = LeftPositions()
  let clock: () -> MonotonicInstant
  let onListLeft: (LocalPlayer) -> Void
  /// Returns true for a song that shuffle leaves out. Nil if no song is disliked.
  var isDisliked: ((MusicFile) -> Bool)?
  var tracks: RequestedTracks
  let replayGain: ReplayGainChoice
  private var cuedSeconds = 0.0
  /// The position at which the current track was requested. Valid until a frame of this track is heard.
  var requestedSeconds = 0.0
  /// The attempt to open the current song.
  var attempt = OpeningAttempt()
  /// The entries of the last attempt if none of them could be opened. Otherwise empty.
  var unopened: Set<Entry.ID> = []
  /// True if playback has stopped because the last songs of the queue could not be opened. A list that is added then
  /// plays.
  public internal(set) var hasRunOut = false
  /// Events that follow the event that is being handled.
  var furtherEvents: [Event] = []
  /// The position in the current track at which the player was stopped. At a stop the engine drops the frames that are
  /// decoded and not heard yet. It then reports the position after these frames, which is too late. Nil if the position
  /// of the engine is valid.
  private var stoppedSeconds: Double?
  /// The position in the current track while another source has the engine. Nil while this player has the engine, and
  /// while playback is stopped.
  var suspendedSeconds: Double?
  var random = SystemRandomNumberGenerator()
  /// The time since which silence replaces missing frames, in nanoseconds of the monotonic clock. Nil if no frames are
  /// missing.
  var starvedSince: Int64?

  /// - Parameters:
  ///   - files: can be empty. See ``setFiles(_:)``.
  ///   - onListLeft: called before *undo* brings back another queue.
  ///   - clock: returns the current time.
  public init(
    files: [MusicFile], engine: PlaybackEngine, replayGain: ReplayGainSettings = .init(),
    onListLeft: @escaping (LocalPlayer) -> Void = { _ in }, clock: @escaping () -> MonotonicInstant
  ) {
    self.engine = engine
    self.onListLeft = onListLeft
    self.clock = clock
    self.replayGain = ReplayGainChoice(replayGain)
    tracks = RequestedTracks(replayGain: self.replayGain)
    queue = PlayQueue(files)
    state = State()
    state.isStopped = true
    showCurrent()
  }

  // MARK: Files

  /// Replaces the files, for example after a stick was plugged in or removed. The current track continues. If the new
  /// files contain the current track, the next track is the track that follows it in the new files.
  public func setFiles(_ files: [MusicFile]) {
    changeOrder {
      let current = state.file
      queue.setAll(
        files, isCurrent: { file in current.map { file.isSameSong(as: $0) } ?? false },
        seed: random.next())
      notePassedOver()
      usePreceding()
      tracks.renumber(queue.entries, preferring: nil)
    }
    if state.isStopped { showCurrent() } else { updateQueueIndex() }
  }

  func updateQueueIndex() { state.queueIndex = queueIndex }

  /// Makes a file the current file, opens it at a position, and pauses. Returns false if the file is not in the queue.
  /// While another source has the engine, the file is opened later. If the queue has ended, the file is only shown.
  public func hold(path: String, at seconds: Double) -> Bool {
    guard let entry = entry(of: path) else { return false }
    pause()
    queue.select(entry.id)
    if queue.hasEnded { showCurrent() } else { open(entry, at: seconds) }
    return true
  }

  /// Makes a file the current file of a stopped player. The next ``resume()`` begins at this position. Returns false if
  /// the player is not stopped or the file is not in the queue.
  public func cue(path: String, at seconds: Double) -> Bool {
    guard state.isStopped, let entry = entry(of: path) else { return false }
    queue.select(entry.id)
    showCurrent()
    cue(at: seconds)
    return true
  }

  /// Plays the file with this path. Returns false if the file is not in the queue.
  public func play(path: String, paused: Bool = false) -> Bool {
    guard let entry = entry(of: path) else { return false }
    begin(entry, paused: paused)
    return true
  }

  /// The entry of a file. If the file is in the queue several times, the current entry has priority.
  private func entry(of path: String) -> Entry? {
    if let current = queue.current, current.item.isAt(path) { return current }
    return queue.entries.first { $0.item.isAt(path) }
  }

  func showCurrent() {
    // If the current file has changed, nothing of it was heard yet.
    let isSame = queue.current.map { state.file?.isSameSong(as: $0.item) ?? false }
    if isSame != true { (stoppedSeconds, cuedSeconds) = (0, 0) }
    state.file = queue.current?.item
    state.metadata = state.file?.metadata ?? AudioMetadata()
    state.description = nil
    state.queueIndex = queueIndex
  }

  // MARK: Commands

  /// Plays the current entry of the queue from a position in seconds. If this entry cannot play, plays the first entry
  /// after it that can play, or else the first of all. If the queue has ended, plays what was added since then, or else
  /// begins the queue again. Returns false if no entry can play.
  @discardableResult
  public func start(at seconds: Double = 0) -> Bool {
    let attempt = OpeningAttempt(wraps: true)
    if queue.hasEnded {
      guard let entry = following(queue.current, isAsked: true) ?? queue.beginAgain() else {
        return false
      }
      play(entry, attempt: attempt)
      return true
    }
    guard let entry = playable(from: queue.current) ?? firstPlayable else { return false }
    play(entry, at: entry.id == queue.currentID ? seconds : 0, attempt: attempt)
    return true
  }

  /// Sets the position in the current track at which the next ``resume()`` of a stopped player begins. The position is
  /// used only once.
  public func cue(at seconds: Double) {
    cuedSeconds = seconds
    if state.isStopped { stoppedSeconds = seconds }
  }

  /// Ends the pause. If playback has stopped, plays the current track from its beginning or from the cued position.
  /// Returns false if no entry can play.
  @discardableResult
  public func resume() -> Bool {
    let seconds = state.isStopped ? cuedSeconds : suspendedSeconds
    if seconds != nil, (playable(from: queue.current) ?? firstPlayable) == nil { return false }
    unpause()
    return seconds.map { start(at: $0) } ?? true
  }

  /// True if ``resume()`` continues, or begins a song that is not known to be a song that cannot be opened.
  var canResume: Bool { !state.isStopped && suspendedSeconds == nil || hasMusic }

  /// Pauses with a fade.
  public func pause() {
    state.isPaused = true
    if hasEngine { engine.setPaused(true) }
  }

  /// Stops with a fade. The current track does not change.
  public func stop() {
    hasRunOut = false
    guard !state.isStopped else { return }
    stoppedSeconds = elapsedSeconds
    state.isStopped = true
    suspendedSeconds = nil
    tracks.forgetUpcoming()
    if hasEngine { engine.stop() }
  }

  /// Plays the next track. Returns false if there is no next track.
  @discardableResult
  public func next() -> Bool {
    guard let entry = following(queue.current, isAsked: true) else { return false }
    leaveLongFile()
    play(entry)
    return true
  }

  /// Plays the current track from its start, or plays the previous track. Shortly after a long file was left by *next*
  /// or a jump, returns to the position in this file. Returns false if nothing has played yet.
  @discardableResult
  public func previous() -> Bool {
    if let left = leftPositions.takeLast(at: clock()), let entry = queue.entry(left.id),
      !entry.item.isAbsent
    {
      if queue.preceding == left.id { queue.goBack() }
      play(entry, at: left.seconds, attempt: OpeningAttempt(isBackwards: true))
      return true
    }
    if elapsedSeconds <= Self.restartSeconds, let entry = queue.goBack() {
      play(entry, attempt: OpeningAttempt(isBackwards: true))
      return true
    }
    return seek(to: 0)
  }

  /// If the current file is long, stores the position in it, so that *previous* can return to it.
  func leaveLongFile() {
    guard let id = queue.currentID, canSeek else { return }
    let seconds = state.description?.durationSeconds ?? state.file?.declaredSeconds ?? 0
    leftPositions.add(id, at: elapsedSeconds, duration: seconds, clock())
  }

  /// Moves forwards or backwards within the track. If the target is beyond the end, the next track plays. Returns false
  /// if nothing has played yet.
  @discardableResult
  public func skip(by seconds: Double) -> Bool {
    let target = elapsedSeconds + seconds
    if let duration = state.description?.durationSeconds, target >= duration {
      return next() || seek(to: duration)
    }
    return seek(to: max(0, target))
  }

  /// Moves to a position in the current track. Returns false if nothing has played yet.
  @discardableResult
  public func seek(to seconds: Double) -> Bool {
    if suspendedSeconds != nil {
      suspendedSeconds = seconds
      return true
    }
    guard let request = tracks.restartCurrent() else { return false }
    if let id = queue.currentID { queue.play(id) }
    (stoppedSeconds, requestedSeconds) = (nil, seconds)
    state.isStopped = false
    acquireEngine()
    engine.play(request, at: seconds)
    return true
  }

  // MARK: State

  /// The position in the current track that is heard now, in seconds.
  public var elapsedSeconds: Double {
    if let suspendedSeconds { return suspendedSeconds }
    if state.isStopped, let stoppedSeconds { return stoppedSeconds }
    guard let heard = engine.heardPosition(), heard.trackID == tracks.currentID else {
      return requestedSeconds
    }
    let seconds = max(0, heard.seconds)
    return state.description?.durationSeconds.map { min(seconds, $0) } ?? seconds
  }

  /// The position in the current track at which ``resume()`` continues, in seconds.
  public var resumeSeconds: Double { state.isStopped ? cuedSeconds : elapsedSeconds }

  /// The effect of the last command.
  var lastEffect: Effect { engine.lastEffect }

  /// The file that plays after the current file. If the engine has already got a request for a next file, `upNext` is
  /// this file, even if the order has changed since then.
  public var upNext: MusicFile? {
    (tracks.queued.first ?? following(queue.current, isAsked: false))?.item
  }

  /// Number of files in the queue.
  public var count: Int { queue.count }

  /// The entries that follow the current entry, but at most `limit` entries.
  public func upNext(limit: Int) -> [Entry] {
    let queued = tracks.queued
    let known = Set(queued.map(\.id))
    let further = queue.upNext(limit: limit + known.count, after: queued.last?.id)
    return Array((queued + further.filter { !known.contains($0.id) }).prefix(limit))
  }

  /// True if there is a track in which ``seek(to:)`` and ``skip(by:)`` can move: this player has requested it from the
  /// engine, or it waits because another source has the engine.
  var canSeek: Bool { suspendedSeconds != nil || tracks.hasCurrent }

  /// True if ``previous()`` at the beginning of a track would play another track.
  var hasPrevious: Bool { queue.preceding != nil }

  /// True if ``next()`` would play a track.
  public var hasNext: Bool { following(queue.current, isAsked: true) != nil }

  /// Identifies one playing of the current track. If a track plays twice, each playing has its own identity.
  public var playingID: Int { tracks.currentID }

  /// True after a request for a track or position, until the first frame for the latest request is handed over to the
  /// device.
  public var isSeeking: Bool { hasEngine && engine.isSeeking }

  /// The file for whose data the engine waits: its storage delivers no data in time, and silence replaces its frames.
  /// Nil if there is no such file.
  public var awaited: MusicFile? {
    starvedSince == nil ? nil : tracks.decoding
  }

  private var queueIndex: Int { queue.currentIndex ?? 0 }

  /// The entry that plays after `entry`. Passes over entries that could not be opened since the current track began.
  func following(
    _ entry: Entry?, isAsked: Bool
  ) -> Entry? {
    var id = entry?.id
    for _ in 0...attempt.failed.count {
      id = id.flatMap { queue.following($0, isAsked: isAsked) }
      guard let next = id, attempt.failed.contains(next) else { return id.flatMap(queue.entry) }
    }
    return nil
  }

  func play(
    _ entry: Entry, at seconds: Double = 0, attempt: OpeningAttempt = OpeningAttempt()
  ) {
    let request = tracks.begin(entry, isShuffled: isShufflingSongs)
    self.attempt = attempt
    hasRunOut = false
    (stoppedSeconds, cuedSeconds, requestedSeconds) = (nil, 0, seconds)
    show(entry)
    state.description = nil
    acquireEngine()
    engine.play(request, at: seconds)
  }

  /// Plays an entry. While another source has the engine, only shows it: ``resume()`` then plays it.
  func open(_ entry: Entry, at seconds: Double = 0) {
    if hasEngine { return play(entry, at: seconds) }
    show(entry)
    state.description = nil
    suspendedSeconds = seconds
  }

  /// Stores the description of the current file, with all its tags.
  func describe(_ description: TrackDescription) {
    state.description = description
    state.metadata = description.metadata
  }

  /// Makes an entry the current entry of the queue.
  func show(_ entry: Entry) {
    if queue.beginsRound(with: entry.id) {
      changeOrder { queue.play(entry.id, planned: tracks.queued.map(\.id)) }
    } else {
      queue.play(entry.id)
    }
    state.queueIndex = queueIndex
    state.file = entry.item
    state.metadata = entry.item.metadata
    state.isStopped = false
  }

  // MARK: Values

  /// The state that surfaces show.
  public struct State: Equatable, Sendable {
    /// The index of the current file in the playing order, from 0.
    public var queueIndex = 0
    /// The current file, also if playback is paused or stopped. Nil if there is no current file.
    public var file: MusicFile?
    /// The current tags. Until the file is opened, only the tags that ``MusicFile`` stores. In a chained stream, each
    /// link can have other tags.
    public var metadata = AudioMetadata()
    /// The description of the current file. Nil until the file is opened.
    public var description: TrackDescription?
    /// True if playback is paused.
    public var isPaused = false
    /// True if playback has ended or was stopped.
    public var isStopped = false
    /// The format of the output. Nil until the output is set up.
    public var device: DeviceFormat?
    /// The conversion of frames for the output, as text. Nil if frames are not converted.
    public var conversion: String?
  }

  /// Events for the log.
  public enum Event: Sendable {
    /// A track begins to be heard. `index` is the index of the track in the playing order, from 0.
    case started(MusicFile, TrackDescription, index: Int)
    /// The next link of a chained stream begins to be heard.
    case metadataChanged(MusicFile, AudioMetadata)
    /// The format changed within a track.
    case formatChanged(MusicFile, StreamFormat)
    /// A part of a track was skipped, or does not match its header.
    case damaged(MusicFile, DecodeError)
    /// Further parts of a track were skipped. `count` is their number.
    case moreDamage(MusicFile, count: Int)
    /// A track cannot be played, or ended early. `isGone` is true if its medium was removed.
    case failed(MusicFile, DecodeError, isGone: Bool)
    /// The output was set up.
    case output(DeviceFormat, conversion: String?)
    /// The output cannot be used at present.
    case outputFailed(SinkError)
    /// The output can be used again.
    case outputRegained
    /// The output was set up again between two tracks. No sound was heard for `seconds`.
    case changedOver(seconds: Double)
    /// The system refused real-time rights. The text names these rights. Without them, the output can run dry when the
    /// machine is busy.
    case realTimeRefused(String)
    /// The output ran dry (underrun) and continues. The value is the time of the detection, on the monotonic clock.
    case ranDry(nanoseconds: Int64)
    /// Silence replaced the frames of a track for `seconds`, because the storage of the track delivered no data in
    /// time.
    case starvationEnded(seconds: Double)
    /// No track follows. Frames that were handed over are still heard.
    case ended
    /// Playback has stopped because no song of the queue can be opened.
    case noneOpened
    /// The effect of a command is heard. See ``EngineEvent/applied(_:handedOver:heard:)``.
    case applied(Effect, handedOver: Int64, heard: Int64)
    /// An overlay began.
    case overlayBegan(id: Int)
    /// An overlay ended.
    case overlayEnded(id: Int)
    /// An overlay cannot be played.
    case overlayFailed(id: Int, DecodeError)
  }
}
