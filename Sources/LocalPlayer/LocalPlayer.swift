public import AudioCodecs
public import AudioEngine
public import NowPlaying

/// Plays a queue of files through an engine: the place where meaning and sound meet.
///
/// Control thread only. Nothing here blocks; what takes time happens on the engine's threads
/// and comes back through ``handleEvents()``.
public final class LocalPlayer {
  /// What a surface shows.
  public struct State: Equatable, Sendable {
    /// Place in the queue's order, from 0.
    public var place = 0
    /// The file that plays, or would; nil where there is none.
    public var file: MusicFile?
    /// Its tags now (a chained stream changes them).
    public var metadata = AudioMetadata()
    /// What is known since it was opened.
    public var description: TrackDescription?
    /// Held by the user.
    public var isPaused = false
    /// Nothing plays any more.
    public var isStopped = false
    /// What the output is set up for.
    public var device: DeviceFormat?
    /// How frames are converted to it; nil where they are not.
    public var conversion: String?
  }

  /// What a log shows.
  public enum Event: Sendable {
    /// A track sounds, at this place in the order, from 0.
    case started(MusicFile, TrackDescription, place: Int)
    /// A chained stream's next part sounds.
    case metadataChanged(MusicFile, AudioMetadata)
    /// The format changed within a track.
    case formatChanged(MusicFile, StreamFormat)
    /// Part of a track is left out, or is not as its header says.
    case damaged(MusicFile, DecodeError)
    /// So many more places of a track were left out.
    case moreDamage(MusicFile, places: Int)
    /// A track cannot be played, or ended early.
    case failed(MusicFile, DecodeError)
    /// The output is set up.
    case output(DeviceFormat, conversion: String?)
    /// The output cannot be used now.
    case outputFailed(SinkError)
    /// It can be used again.
    case outputRegained
    /// The output was set up anew between two tracks; so long nothing was heard.
    case changedOver(seconds: Double)
    /// The output runs without what the words name, and may run dry when the machine is busy.
    case realTimeRefused(String)
    /// The output was not fed in time, noticed at this moment of the monotonic clock, and goes on.
    case ranDry(nanoseconds: Int64)
    /// Silence has stood in for a track that did not come from its storage.
    case fed(seconds: Double)
    /// Nothing follows; what was handed over still sounds.
    case ended
    /// What was asked of the sound is there; see ``EngineEvent/applied(_:handedOver:heard:)``.
    case applied(Effect, handedOver: Int64, heard: Int64)
    /// Something else than the player's tracks began to sound over them, has ended, or cannot.
    case overlayBegan(id: Int)
    case overlayEnded(id: Int)
    case overlayFailed(id: Int, DecodeError)
  }

  /// *Previous* returns to the start of a track that has played longer than this.
  public static let restartSeconds = 3.0

  private let engine: PlaybackEngine
  private let replayGain: ReplayGainMode
  /// The order, repeat and shuffle.
  public private(set) var queue: PlayQueue<MusicFile>
  /// What a surface shows.
  public private(set) var state: State

  private struct Request {
    /// Of the queue: places move when the order changes.
    var entry: PlayQueue<MusicFile>.Entry
    let track: TrackRequest
    var description: TrackDescription?
    var hasFailed = false
  }

  private var cuedSeconds = 0.0
  private var requests: [Int: Request] = [:]
  private var lastID = 0
  /// The request that sounds, or was asked for last.
  private var currentID = 0
  /// The last track of which the engine asked what follows it; 0 while it has not.
  private var decodedID = 0
  /// What it was told to play then.
  private var upcomingID: Int?
  /// Files that failed since one played: when all did, there is no use in going round.
  private var failuresInARow = 0
  private var random = SystemRandomNumberGenerator()
  /// The last track that was decoded to its end.
  private var finishedID = 0
  /// Since when silence stands in for what does not come (nanoseconds of the monotonic clock).
  private var starvedSince: Int64?

  /// - Parameter files: may be empty; see ``setFiles(_:)``.
  public init(files: [MusicFile], engine: PlaybackEngine, replayGain: ReplayGainMode = .off) {
    self.engine = engine
    self.replayGain = replayGain
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
      // Numbers are new ones. What is not there any more keeps its old one, which nobody knows.
      let entries = Dictionary(
        queue.entries.map { ($0.item.path, $0) }, uniquingKeysWith: { first, _ in first })
      for id in requests.keys {
        if let entry = requests[id].flatMap({ entries[$0.entry.item.path] }) {
          requests[id]?.entry = entry
        }
      }
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
    forgetUpcoming()
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
    guard let request = requests[currentID] else { return false }
    state.isStopped = false
    // What was to follow is taken back with what is decoded; it will be asked for again.
    requests = [currentID: request]
    forgetUpcoming()
    engine.play(request.track, at: seconds)
    return true
  }

  /// What happens at the end.
  public func setRepeat(_ mode: MediaCommand.RepeatMode) {
    changeOrder { queue.repeatMode = mode }
  }

  /// Shuffles what comes, or puts it in order again.
  public func setShuffled(_ shuffled: Bool) {
    changeOrder { queue.setShuffled(shuffled, next: given.map(\.id), using: &random) }
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
    guard let heard = engine.heard(), heard.trackID == currentID else { return 0 }
    let seconds = max(0, heard.seconds)
    return state.description?.durationSeconds.map { min(seconds, $0) } ?? seconds
  }

  /// What the last command has asked of the sound.
  var lastEffect: Effect { engine.lastEffect }

  /// The file that follows by itself: what the engine has been given, whatever changed since.
  public var upNext: MusicFile? {
    (given.first ?? following(queue.current, isAsked: false))?.item
  }

  /// How many files there are.
  public var count: Int { queue.count }

  /// The files that follow, as far as they are known, and at most so many.
  public func upNext(limit: Int) -> [MusicFile] {
    var entries = given
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
  public var playingID: Int { currentID }

  /// Whether what was asked for last, a track or a place in one, is not heard yet.
  public var isSeeking: Bool { engine.isSeeking }

  /// The file that does not come from its storage, so that silence stands in for it.
  public var awaited: MusicFile? {
    guard starvedSince != nil else { return nil }
    return file(finishedID == currentID ? upcomingID ?? currentID : currentID)
  }

  private var place: Int { queue.currentID.flatMap(queue.place) ?? 0 }

  private func following(
    _ entry: PlayQueue<MusicFile>.Entry?, isAsked: Bool
  ) -> PlayQueue<MusicFile>.Entry? {
    entry.flatMap { queue.following($0.id, isAsked: isAsked) }.flatMap(queue.entry)
  }

  // MARK: Engine

  /// Takes what the engine has to say, answers it, and returns what is of interest to people.
  public func handleEvents() -> [Event] {
    engine.takeEvents().compactMap { handle($0) }
  }

  private func handle(_ event: EngineEvent) -> Event? {
    switch event {
    case .opened(let id, let description):
      requests[id]?.description = description
      if id == currentID { state.description = description }
    case .wantsUpcoming(let id):
      answerUpcoming(after: id)
    case .started(let id):
      guard let request = requests[id], let description = request.description else { return nil }
      makeCurrent(id, request.entry)
      state.description = description
      requests = requests.filter { $0.key >= id }
      return .started(request.entry.item, description, place: state.place)
    case .decoded(let id):
      failuresInARow = 0
      finishedID = id
    case .metadataChanged(let id, let metadata):
      guard id == currentID else { return nil }
      state.metadata = metadata
      return file(id).map { .metadataChanged($0, metadata) }
    case .formatChanged(let id, let format):
      guard let file = file(id) else { return nil }
      if id == currentID { state.description?.format = format }
      return .formatChanged(file, format)
    case .damaged(let id, let error):
      return file(id).map { .damaged($0, error) }
    case .moreDamage(let id, let places):
      return file(id).map { .moreDamage($0, places: places) }
    case .failed(let id, let error):
      failuresInARow += 1
      requests[id]?.hasFailed = true
      return file(id).map { .failed($0, error) }
    case .deviceOpened(let device, let conversion):
      state.device = device
      state.conversion = conversion
      return .output(device, conversion: conversion)
    case .deviceFailed(let error):
      return .outputFailed(error)
    case .deviceRegained:
      return .outputRegained
    case .xrun(let nanoseconds):
      return .ranDry(nanoseconds: nanoseconds)
    case .starved(let nanoseconds):
      starvedSince = nanoseconds
    case .fed(let nanoseconds):
      defer { starvedSince = nil }
      return starvedSince.map { .fed(seconds: Double(nanoseconds - $0) * 1e-9) }
    case .changedOver(let nanoseconds):
      return .changedOver(seconds: Double(nanoseconds) * 1e-9)
    case .realTimeRefused(let words):
      return .realTimeRefused(words)
    case .applied(let effect, let handedOver, let heard):
      return .applied(effect, handedOver: handedOver, heard: heard)
    case .overlayBegan(let id):
      return .overlayBegan(id: id)
    case .overlayEnded(let id):
      return .overlayEnded(id: id)
    case .overlayFailed(let id, let error):
      return .overlayFailed(id: id, error)
    case .ended where state.isStopped:
      // As somebody has asked.
      break
    case .ended(let id):
      // Repeat may have been switched on when the last track was decoded already.
      if let entry = follower(of: id) {
        play(entry)
        return nil
      }
      state.isStopped = true
      return .ended
    }
    return nil
  }

  private func file(_ id: Int) -> MusicFile? { requests[id]?.entry.item }

  private func makeCurrent(_ id: Int, _ entry: PlayQueue<MusicFile>.Entry) {
    currentID = id
    queue.move(to: entry.id)
    state.place = place
    state.file = entry.item
    state.metadata = entry.item.metadata
    state.isStopped = false
  }

  private func play(_ entry: PlayQueue<MusicFile>.Entry, at seconds: Double = 0) {
    failuresInARow = 0
    let id = request(entry)
    makeCurrent(id, entry)
    state.description = nil
    forgetUpcoming()
    if let track = requests[id]?.track { engine.play(track, at: seconds) }
  }

  private func request(_ entry: PlayQueue<MusicFile>.Entry) -> Int {
    lastID += 1
    requests[lastID] = Request(
      entry: entry, track: .file(entry.item.path, id: lastID, replayGain: replayGain))
    return lastID
  }

  /// A command: the engine has not asked yet what follows.
  private func forgetUpcoming() {
    decodedID = 0
    upcomingID = nil
  }

  /// What follows track `id` by itself; nothing, once all have failed in a row.
  private func follower(of id: Int) -> PlayQueue<MusicFile>.Entry? {
    guard let request = requests[id], failuresInARow < count else { return nil }
    return following(request.entry, isAsked: failuresInARow > 0)
  }

  private func answerUpcoming(after id: Int) {
    // Where the engine asks again after a track, what it was given then is not played.
    requests = requests.filter { $0.key <= id }
    decodedID = id
    upcomingID = follower(of: id).map { request($0) }
    engine.setUpcoming(upcomingID.flatMap { requests[$0]?.track })
  }

  /// Changes what follows, unless it is being decoded already.
  private func changeOrder(_ change: () -> Void) {
    if let id = upcomingID, engine.withdrawUpcoming() {
      requests[id] = nil
      upcomingID = nil
    }
    change()
    if upcomingID == nil, requests[decodedID] != nil { answerUpcoming(after: decodedID) }
  }

  /// What the engine will play after the current one, whatever changes: the ring may hold several
  /// short tracks.
  private var given: [PlayQueue<MusicFile>.Entry] {
    let given = requests.filter { $0.key > currentID && !$0.value.hasFailed }
    return given.sorted { $0.key < $1.key }.map(\.value.entry)
  }
}
