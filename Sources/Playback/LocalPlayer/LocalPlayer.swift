internal import AudioCodecs
public import AudioEngine
public import MusicFiles
public import NowPlaying

/// Plays a queue of files through an engine: the place where meaning and sound meet.
///
/// Control thread only. Nothing here blocks; what takes time happens on the engine's threads
/// and comes back through ``handleEvents()``.
public final class LocalPlayer {
  /// *Previous* returns to the start of a track that has played longer than this.
  public static let restartSeconds = 3.0

  let engine: PlaybackEngine
  /// The order, repeat and shuffle.
  public private(set) var queue: PlayQueue<MusicFile>
  /// What a surface shows.
  public internal(set) var state: State

  var tracks: RequestedTracks
  private var cuedSeconds = 0.0
  private var random = SystemRandomNumberGenerator()
  /// Since when silence stands in for what does not come (nanoseconds of the monotonic clock).
  var starvedSince: Int64?

  /// - Parameter files: may be empty; see ``setFiles(_:)``.
  public init(files: [MusicFile], engine: PlaybackEngine, replayGain: ReplayGainMode = .off) {
    self.engine = engine
    tracks = RequestedTracks(replayGain: replayGain)
    queue = PlayQueue(files)
    state = State()
    state.isStopped = true
    showCurrent()
  }

  // MARK: Files

  /// Plays from other files from now on: a stick came or went. What plays goes on, and if it is
  /// among them, what follows there follows it.
  public func setFiles(_ files: [MusicFile]) {
    changeOrder {
      let path = state.file?.path
      queue.replace(with: files, current: { $0.path == path }, using: &random)
      tracks.renumber(
        Dictionary(
          queue.entries.map { ($0.item.path, $0) }, uniquingKeysWith: { first, _ in first }))
    }
    if state.isStopped { showCurrent() } else { state.place = place }
  }

  /// Makes a file the current one and opens it at a place, held. False where it is not among the
  /// files.
  public func hold(path: String, at seconds: Double) -> Bool {
    guard let entry = entry(of: path) else { return false }
    pause()
    play(entry, at: seconds)
    return true
  }

  /// Makes a file the current one of a player that has stopped; when it is asked to play it begins
  /// there. False where it is not among the files.
  public func cue(path: String, at seconds: Double) -> Bool {
    guard state.isStopped, let entry = entry(of: path) else { return false }
    queue.move(to: entry.id)
    showCurrent()
    cue(at: seconds)
    return true
  }

  /// Plays the file of that path. False where it is not among the files.
  public func play(path: String) -> Bool {
    guard let entry = entry(of: path) else { return false }
    state.isPaused = false
    engine.setPaused(false)
    play(entry)
    return true
  }

  private func entry(of path: String) -> PlayQueue<MusicFile>.Entry? {
    queue.entries.first { $0.item.path == path }
  }

  private func showCurrent() {
    state.file = queue.current?.item
    state.metadata = state.file?.metadata ?? AudioMetadata()
    state.description = nil
    state.place = place
  }

  // MARK: Commands

  /// Plays from the current place.
  public func start(at seconds: Double = 0) {
    cuedSeconds = 0
    if let entry = queue.current { play(entry, at: seconds) }
  }

  /// Where in the current track playback begins when it is asked for, once.
  public func cue(at seconds: Double) { cuedSeconds = seconds }

  /// Goes on; from the beginning of the current track where playback has stopped, or where it was
  /// cued.
  public func resume() {
    state.isPaused = false
    engine.setPaused(false)
    if state.isStopped { start(at: cuedSeconds) }
  }

  /// Holds, in a fade.
  public func pause() {
    state.isPaused = true
    engine.setPaused(true)
  }

  /// Ends playback, in a fade; the current track stays the current one.
  public func stop() {
    guard !state.isStopped else { return }
    state.isStopped = true
    tracks.forgetUpcoming()
    engine.stop()
  }

  /// The next track; false at the end.
  @discardableResult
  public func next() -> Bool {
    guard let entry = following(queue.current, isAsked: true) else { return false }
    play(entry)
    return true
  }

  /// The start of the track, or the track before; false before anything has played.
  @discardableResult
  public func previous() -> Bool {
    if elapsedSeconds <= Self.restartSeconds,
      let entry = queue.currentID.flatMap(queue.preceding).flatMap(queue.entry)
    {
      play(entry)
      return true
    }
    return seek(to: 0)
  }

  /// Forwards or back within the track; beyond its end is the next. False before anything has
  /// played.
  @discardableResult
  public func skip(by seconds: Double) -> Bool {
    let target = elapsedSeconds + seconds
    if let duration = state.description?.durationSeconds, target >= duration {
      return next() || seek(to: duration)
    }
    return seek(to: max(0, target))
  }

  /// To a place in the current track; false before anything has played.
  @discardableResult
  public func seek(to seconds: Double) -> Bool {
    guard let request = tracks.restartCurrent() else { return false }
    state.isStopped = false
    engine.play(request, at: seconds)
    return true
  }

  /// What happens at the end.
  public func setRepeat(_ mode: MediaCommand.RepeatMode) {
    changeOrder { queue.repeatMode = mode }
  }

  /// Shuffles what comes, or puts it in order again.
  public func setShuffled(_ shuffled: Bool) {
    changeOrder { queue.setShuffled(shuffled, next: tracks.given.map(\.id), using: &random) }
    state.place = place
  }

  /// Starts with a random track, shuffled.
  public func shuffleFromTheStart() {
    if let entry = queue.entries.randomElement(using: &random) { queue.move(to: entry.id) }
    setShuffled(true)
    if state.isStopped { showCurrent() }
  }

  // MARK: State

  /// Seconds of the current track that were heard.
  public var elapsedSeconds: Double {
    guard let heard = engine.heard(), heard.trackID == tracks.currentID else { return 0 }
    let seconds = max(0, heard.seconds)
    return state.description?.durationSeconds.map { min(seconds, $0) } ?? seconds
  }

  /// What the last command has asked of the sound.
  var lastEffect: Effect { engine.lastEffect }

  /// The file that follows by itself: what the engine has been given, whatever changed since.
  public var upNext: MusicFile? {
    (tracks.given.first ?? following(queue.current, isAsked: false))?.item
  }

  /// How many files there are.
  public var count: Int { queue.count }

  /// The files that follow, as far as they are known, and at most so many.
  public func upNext(limit: Int) -> [MusicFile] {
    var entries = tracks.given
    var last = entries.last ?? queue.current
    while entries.count < min(limit, count - 1), let next = following(last, isAsked: true),
      next.id != queue.currentID
    {
      entries.append(next)
      last = next
    }
    return entries.prefix(limit).map(\.item)
  }

  /// Whether there is a track after the current one, for somebody who asks.
  public var hasNext: Bool { following(queue.current, isAsked: true) != nil }

  /// Names the playing of the current track: a track that plays twice has two.
  public var playingID: Int { tracks.currentID }

  /// Whether what was asked for last, a track or a place in one, is not heard yet.
  public var isSeeking: Bool { engine.isSeeking }

  /// The file that does not come from its storage, so that silence stands in for it.
  public var awaited: MusicFile? {
    starvedSince == nil ? nil : tracks.decoding
  }

  private var place: Int { queue.currentID.flatMap(queue.place) ?? 0 }

  func following(
    _ entry: PlayQueue<MusicFile>.Entry?, isAsked: Bool
  ) -> PlayQueue<MusicFile>.Entry? {
    entry.flatMap { queue.following($0.id, isAsked: isAsked) }.flatMap(queue.entry)
  }

  func play(_ entry: PlayQueue<MusicFile>.Entry, at seconds: Double = 0) {
    let request = tracks.begin(entry)
    show(entry)
    state.description = nil
    engine.play(request, at: seconds)
  }

  /// Makes it the current one of the queue.
  func show(_ entry: PlayQueue<MusicFile>.Entry) {
    queue.move(to: entry.id)
    state.place = place
    state.file = entry.item
    state.metadata = entry.item.metadata
    state.isStopped = false
  }
}
