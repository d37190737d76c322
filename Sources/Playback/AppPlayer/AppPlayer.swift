package import AppStream
package import AudioEngine
package import EventLoop
package import NowPlaying

/// Plays apps: programs that are sources of Now Playing. Each app has sessions, and the engine plays the streams of one
/// session.
///
/// Used on the control thread only. Call ``update()`` after each event that can change which app is heard, and at
/// ``nextDeadline``.
package final class AppPlayer: EngineUser {
  /// What the engine plays.
  private struct Playing {
    let session: AppSession
    var stream: PlayedStream
    /// The stream that the engine plays next.
    var following: PlayedStream?
    var isPaused = false
    /// True if the app was told that the engine has no more frames.
    var isStarved = false
    /// The frame with which a track begins or continues. Until a later frame is heard, the device still plays silence.
    var begin: Int64?
    /// The frame that the app was told last.
    var reported: Int64?
  }

  /// The wait for an app that has ended while it played.
  private struct Awaited {
    let name: String
    let wait: SourceWait
  }

  private let engine: PlaybackEngine
  private let center: NowPlayingCenter
  private let configure: (inout NowPlayingTemplate) -> Void
  private let unitTemplate: (inout NowPlayingTemplate) -> Void
  private let clock: () -> MonotonicInstant
  private(set) var sessions: [SessionID: AppSession] = [:]
  private var awaited: [SessionID: Awaited] = [:]
  private var playing: Playing?
  private var isUpdating = false
  private var isOutputLost = false
  /// The number of the last track. Apps, phones and files have different numbers.
  private var lastTrack = -1_000_000_000

  /// The time for which an app that has ended while it played stays Now Playing.
  private static let absence = Duration.seconds(10)
  /// The interval at which an app is told which frame is heard.
  private static let reportInterval = Duration.seconds(1)
  /// The interval at which the first frame is awaited that is heard.
  private static let awaitInterval = Duration.milliseconds(10)

  /// - Parameters:
  ///   - configure: sets the buttons of the screen while the unit waits for an app. Called whenever a screen connects.
  ///   - unitTemplate: sets the buttons of the unit that the screen shows behind *More* while an app is Now Playing.
  ///   - clock: returns the current time.
  package init(
    engine: PlaybackEngine, center: NowPlayingCenter,
    configure: @escaping (inout NowPlayingTemplate) -> Void = { _ in },
    unitTemplate: @escaping (inout NowPlayingTemplate) -> Void = { _ in },
    clock: @escaping () -> MonotonicInstant
  ) {
    self.engine = engine
    self.center = center
    self.configure = configure
    self.unitTemplate = unitTemplate
    self.clock = clock
  }

  /// Called with an app that does not answer its commands.
  package var onSilence: ((AppSession) -> Void)?

  // MARK: Sessions

  /// Opens a session. A session with the same identity ends.
  /// - Parameter picture: the picture of the app, which surfaces show beside its name.
  /// - Returns: the session, and whether the app is to play by itself, because it was to play when it ended.
  package func open(
    _ id: SessionID, name: String, picture: ButtonPicture? = nil, audio: AudioSession,
    template: AppTemplate, send: @escaping (AppEvent) -> Void
  ) -> (session: AppSession, plays: Bool) {
    if let old = sessions[id] { end(old, notifyingOthers: false) }
    awaited[id]?.wait.end(.connected)
    let session = AppSession(
      id, name: name, picture: picture, audio: audio, template: template,
      unitTemplate: unitTemplate, center, clock: clock,
      send: send)
    session.onChange = { [weak self] in self?.update() }
    session.onSilence = { [weak self, weak session] in
      if let session { self?.onSilence?(session) }
    }
    sessions[id] = session
    if isOutputLost { session.setOutputLost(true) }
    return (session, center.takePlay(of: id))
  }

  /// Ends a session.
  /// - Parameter notifyingOthers: if true, sources that are held because of this session can resume.
  package func end(_ session: AppSession, notifyingOthers: Bool) {
    guard sessions[session.id] === session else { return }
    sessions[session.id] = nil
    session.end(notifyingOthers: notifyingOthers)
    update()
  }

  /// Ends a session whose connection has ended. If the app was to be heard, the unit waits for it for some time.
  package func lost(_ session: AppSession) {
    guard sessions[session.id] === session else { return }
    let content = session.wasPlaying ? session.content : nil
    end(session, notifyingOthers: false)
    guard let content else { return }
    wait(for: session.id, name: session.name, showing: content, time: Self.absence)
  }

  /// Waits for an app that is to play, and shows its name meanwhile.
  /// - Parameter onEnd: called when the wait has ended.
  package func wait(
    for id: SessionID, name: String, time: Duration,
    onEnd: @escaping (SourceWait.End) -> Void
  ) {
    var content = GenericContent(id: id.rawValue, title: name, duration: nil)
    content.metadata = MetadataItems(content.metadata.items + [MetadataItem(.appName, name)])
    wait(for: id, name: name, showing: .generic(content), time: time, onEnd: onEnd)
  }

  private func wait(
    for id: SessionID, name: String, showing content: MediaContent, time: Duration,
    onEnd: @escaping (SourceWait.End) -> Void = { _ in }
  ) {
    let wait = SourceWait(
      for: id, showing: content, time: time, center, configure: configure, clock: clock)
    awaited[id] = Awaited(name: name, wait: wait)
    wait.onEnd = { [weak self, weak wait] end in
      if self?.awaited[id]?.wait === wait { self?.awaited[id] = nil }
      onEnd(end)
    }
  }

  /// Ends all sessions.
  package func shutDown() {
    for wait in awaited.values { wait.wait.end(.replaced) }
    for session in sessions.values { end(session, notifyingOthers: false) }
  }

  /// The session with this identity. Nil if it is not open.
  package func session(_ id: SessionID) -> AppSession? { sessions[id] }

  /// The apps that have a session, and those for which the unit waits, in the order of their names. The session of the
  /// latter is nil.
  package var known: [(id: SessionID, name: String, session: AppSession?)] {
    let open = sessions.map { (id: $0.key, name: $0.value.name, session: Optional($0.value)) }
    let missing = awaited.filter { sessions[$0.key] == nil }
      .map { (id: $0.key, name: $0.value.name, session: AppSession?.none) }
    return (open + missing).sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
  }

  /// The app that is Now Playing, or for which the unit waits. Nil if another source is Now Playing.
  package var primary: (id: SessionID, name: String)? {
    guard let id = center.state.session else { return nil }
    return (sessions[id]?.name ?? awaited[id]?.name).map { (id, $0) }
  }

  /// Must be called when the output is lost, and when it works again.
  package func setOutputLost(_ isLost: Bool) {
    isOutputLost = isLost
    for session in sessions.values { session.setOutputLost(isLost) }
  }

  /// Sets the buttons of the screen again after a change of the configuration.
  package func configureButtons() {
    for wait in awaited.values { wait.wait.configureAgain() }
    for session in sessions.values { session.configureAgain() }
  }

  // MARK: Streams

  /// Opens the stream `number` of a session. No other stream has this number.
  /// - Parameter socket: the unit's end of a `SOCK_SEQPACKET` socket.
  package func openStream(
    _ number: Int, _ format: AppStreamFormat, isLive: Bool, _ socket: BusDescriptor,
    in session: AppSession
  ) {
    lastTrack -= 1
    session.streams[number] = PlayedStream(
      number, isLive ? .live(LiveStream(format, socket)) : .track(TrackStream(format, socket)),
      track: lastTrack)
  }

  /// Closes a stream. If it is heard, it fades out.
  package func closeStream(_ number: Int, of session: AppSession) {
    guard let stream = session.streams.removeValue(forKey: number) else { return }
    stream.stopReading()
    update()
    session.update()
  }

  /// The next frame of a stream is `frame`, and the frames below it are not heard any more.
  package func flush(
    _ number: Int, next frame: UInt64, of session: AppSession
  ) throws(FlushRefusal) {
    guard let stream = session.streams[number] else { return }
    try stream.flush(next: frame)
    session.flushed(stream)
    if let playing, !engine.isUsed(besides: self) {
      let isTaken = playing.following === stream && !engine.withdrawUpcoming()
      if playing.stream === stream || isTaken {
        engine.play(playing.stream.request(playing.stream.track), at: playing.stream.position)
        if !playing.isPaused { waitForSound() }
      }
      if playing.stream === stream || playing.following === stream {
        self.playing?.following = nil
        setFollowing()
      }
    }
    update()
  }

  /// Adds a mark to a stream.
  package func mark(
    _ number: Int, _ mark: FrameMark<MediaContent?>, of session: AppSession
  ) throws(FrameMarks<MediaContent?>.TooMany) {
    guard let stream = session.streams[number] else { return }
    try stream.mark(mark)
    session.update()
  }

  /// The content of a stream ends before the frame `frame`.
  package func finish(_ number: Int, at frame: UInt64, of session: AppSession) {
    session.streams[number]?.finish(at: frame)
    session.update()
  }

  // MARK: Playing

  /// The time at which ``update()`` must be called even without an event; nil if there is no such time.
  package var nextDeadline: MonotonicInstant? {
    let sessions = sessions.values.compactMap(\.nextDeadline)
    var report: [MonotonicInstant] = []
    if let playing, !playing.isPaused {
      let isAwaited = playing.begin != nil && !engine.isSeeking && !engine.isStarved
      let delay = min(
        playing.stream.untilMark ?? Self.reportInterval,
        isAwaited ? Self.awaitInterval : Self.reportInterval)
      report.append(clock().advanced(by: delay))
    }
    return (sessions + awaited.values.map(\.wait.until) + report).min()
  }

  /// Decides again which stream the engine plays, and publishes.
  package func update() {
    // This method can change sessions, which then call this method again.
    guard !isUpdating else { return }
    isUpdating = true
    defer { isUpdating = false }
    let now = clock()
    for wait in awaited.values where wait.wait.until <= now { wait.wait.end(.absent) }
    noteHeard(at: now)
    if let session = sessions.values.first(where: \.isAudible), let stream = session.leader {
      play(stream, of: session)
    } else {
      fallSilent()
    }
    for session in sessions.values { session.update() }
  }

  private func play(_ stream: PlayedStream, of session: AppSession) {
    if playing?.stream === stream {
      guard playing?.isPaused == true else { return setFollowing() }
      playing?.isPaused = false
      engine.setPaused(false)
      waitForSound()
      return
    }
    playing?.stream.stopReading()
    engine.acquire(for: self)
    forgetFrames(besides: session)
    playing = Playing(session: session, stream: stream)
    lastTrack -= 1
    engine.play(stream.request(lastTrack), at: stream.position)
    engine.setPaused(false)
    waitForSound()
    setFollowing()
  }

  /// The position of a track advances for surfaces when its sound is heard, so that they show the right time (P1).
  private func waitForSound() {
    guard let playing, !playing.stream.isLive else { return }
    self.playing?.begin = playing.stream.heard
    playing.session.isStarved = true
  }

  /// Only the session that plays keeps frames.
  private func forgetFrames(besides session: AppSession) {
    for other in sessions.values where other !== session {
      for stream in other.streams.values { stream.forget() }
    }
  }

  /// Tells the engine which stream follows.
  private func setFollowing() {
    guard let playing else { return }
    let players = playing.session.players
    let index = players.firstIndex { $0 === playing.stream }
    let next = index.flatMap { players.dropFirst($0 + 1).first }
    if next != nil, next === playing.following { return }
    self.playing?.following = next
    guard let next else { return engine.setUpcoming(nil) }
    lastTrack -= 1
    engine.setUpcoming(next.request(lastTrack))
  }

  /// A stream that can be continued is paused; any other stream ends.
  private func fallSilent() {
    guard let playing, !playing.isPaused else { return }
    playing.session.isStarved = false
    let isOpen = playing.session.streams[playing.stream.number] === playing.stream
    guard isOpen, !playing.stream.isLive else {
      playing.stream.stopReading()
      // If the stream has ended by itself, its last frames are still played.
      if isOpen || !playing.stream.hasEnded { engine.stop() }
      self.playing = nil
      return
    }
    engine.setPaused(true)
    self.playing?.isPaused = true
    report(at: clock())
  }

  /// Called before another source takes the engine.
  package func engineWillBeTaken() {
    noteHeard(at: clock())
    playing?.stream.stopReading()
    playing?.session.isStarved = false
    playing = nil
  }

  // MARK: The frame that is heard

  private func noteHeard(at now: MonotonicInstant) {
    guard let playing, !engine.isUsed(besides: self), let heard = engine.heardPosition() else {
      return
    }
    if heard.trackID == playing.following?.track, let next = playing.following {
      playing.stream.notePassed()
      report(at: now)
      playing.session.passedOn(to: next)
      self.playing?.stream = next
      self.playing?.following = nil
      self.playing?.reported = nil
      setFollowing()
    }
    guard let stream = self.playing?.stream, heard.trackID == stream.track else { return }
    let mark = stream.markFrame
    stream.noteHeard(heard.seconds)
    if let begin = playing.begin, stream.heard > begin || stream.hasEnded {
      self.playing?.begin = nil
    }
    playing.session.isStarved =
      engine.isSeeking || engine.isStarved || self.playing?.begin != nil
    if engine.isStarved != playing.isStarved, !engine.isSeeking {
      self.playing?.isStarved = engine.isStarved
      // An app that is starved learns where the silence begins.
      report(at: now)
      playing.session.send(
        engine.isStarved ? .starved(stream: stream.number) : .fed(stream: stream.number))
    }
    if stream.takeLosses() { playing.session.send(.dropped(stream: stream.number)) }
    let isDue =
      self.playing?.reported.map { stream.heard - $0 >= Int64(stream.format.rate) } ?? true
    if isDue && !engine.isSeeking || stream.markFrame != mark || stream.hasEnded { report(at: now) }
  }

  private func report(at now: MonotonicInstant) {
    guard let playing, playing.reported != playing.stream.heard else { return }
    self.playing?.reported = playing.stream.heard
    playing.session.send(
      .heard(stream: playing.stream.number, frame: playing.stream.heard, at: now))
  }
}
