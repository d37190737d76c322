package import NowPlaying

/// The session of an app: a program that is a source of Now Playing. Passes commands and instructions on to the app,
/// and decides when its streams may sound.
///
/// Used on the control thread only. ``AppPlayer`` has an object of this type for each session, and gives the engine to
/// one of them.
package final class AppSession {
  /// Whether the sound may be heard.
  enum Gate {
    case open
    /// A person has paused or stopped the app. Its sound is silent at once, before it answers. The gate opens when the
    /// app refuses the command, when it is told to play, or when it stops and starts again.
    case closed
  }

  /// Whether the app answers its commands.
  private enum Answering {
    /// The number of commands in a row without an answer.
    case missed(Int)
    /// The app is silenced, because it has missed ``mostMissed`` commands in a row. The next *play* goes to it.
    case silent
  }

  package let id: SessionID
  /// The name for people.
  package let name: String
  private let picture: ButtonPicture?
  private let unitTemplate: (inout NowPlayingTemplate) -> Void
  private let center: NowPlayingCenter
  private let clock: () -> MonotonicInstant
  let send: (AppEvent) -> Void
  private(set) var session: MediaSession?
  private var described = AppDescription()
  private(set) var gate = Gate.open
  private var answering = Answering.missed(0)
  /// The commands that the app has not answered.
  private var pending:
    [Int: (reply: CommandReply?, isSilencing: Bool, deadline: MonotonicInstant)] =
      [:]
  private var lastNumber = 0
  private var template: AppTemplate
  /// The screen that has connected last, and the time until which a template counts as that of its connection (T1).
  private var connection: (screen: Int, until: MonotonicInstant)?
  /// True if the app has configured its template at a connection. A later change is then no fault (T1).
  private var isConfigured: Bool
  private var status: AppStatus?
  var streams: [Int: PlayedStream] = [:]
  /// The number of the stream that is heard in place of the leader, because the leader has ended and the app has not
  /// named another leader yet.
  private var follower: Int?
  /// True if the engine has no frames of the stream that it plays.
  var isStarved = false
  /// Called when it must be decided again which stream is heard.
  var onChange: (() -> Void)?
  /// Called when the app has missed ``mostMissed`` commands in a row.
  var onSilence: (() -> Void)?

  private static let mostMissed = 2

  init(
    _ id: SessionID, name: String, picture: ButtonPicture?, audio: AudioSession,
    template: AppTemplate, unitTemplate: @escaping (inout NowPlayingTemplate) -> Void,
    _ center: NowPlayingCenter, clock: @escaping () -> MonotonicInstant,
    send: @escaping (AppEvent) -> Void
  ) {
    self.id = id
    self.name = name
    self.picture = picture
    self.unitTemplate = unitTemplate
    self.template = template
    isConfigured = template != AppTemplate()
    self.center = center
    self.clock = clock
    self.send = send
    session = center.openSession(
      id, audio: audio, starts: .ifWanted,
      didConnect: { [weak self] in self?.connected($0, &$1) },
      instruct: { [weak self] in self?.follow($0) }, at: clock())
  }

  // MARK: Calls of the app

  /// See ``MediaSession/activate(at:)`` and ``MediaSession/deactivate(notifyingOthers:at:)``.
  package func setActive(_ isActive: Bool) -> DeactivationAnswer {
    defer { onChange?() }
    if !isActive { return session?.deactivate(at: clock()) ?? .done }
    session?.activate(at: clock())
    return .done
  }

  /// Publishes the whole description.
  package func publish(_ description: AppDescription) {
    let wasPlaying = described.isPlaying
    if described.leader != description.leader { follower = nil }
    described = description
    // The app has started again after it had stopped.
    if description.isPlaying, !wasPlaying { gate = .open }
    onChange?()
    update()
  }

  /// Why the app cannot play now, as it has published it. Nil if it can.
  package var obstacle: Refusal? { described.obstacle }

  package var isPrimary: Bool { session?.isPrimary == true }

  /// Requests to become Now Playing.
  /// - Parameter isPerson: true if a person has started playback in another way than with a command.
  package func claim(isPerson: Bool) -> PrimaryAnswer {
    defer { onChange?() }
    return session?.becomeActiveIfPossible(isWanted: isPerson, at: clock()) ?? .refused([])
  }

  /// Tells the app to play, because a person has chosen it before it could be Now Playing. Its start then counts as
  /// wanted (``StartRule``).
  package func tellToPlay() {
    session?.noteWanted(at: clock())
    forward(.media(.play), nil)
  }

  /// Answers a command. Returns false if no command with this number waits for an answer.
  package func answer(_ number: Int, _ answer: CommandAnswer) -> Bool {
    guard let command = pending.removeValue(forKey: number) else { return false }
    answering = .missed(0)
    // An answer without words of its own gets the words of the obstacle.
    var answer = answer
    if answer.refusal?.sentence.isEmpty == true, let obstacle = described.obstacle {
      answer = .failed(obstacle)
    }
    if command.isSilencing, answer != .success { gate = .open }
    command.reply?(answer, at: clock())
    onChange?()
    update()
    return true
  }

  /// Sets the template.
  /// - Parameter screen: the number of ``AppEvent/screenConnected(number:_:)``, or 0 for a change at another time.
  package func setTemplate(_ new: AppTemplate, screen: Int) {
    let now = clock()
    template = new
    if let connection, connection.screen == screen, now <= connection.until { isConfigured = true }
    session?.updateTemplate(isLate: !isConfigured, at: now) { apply(to: &$0) }
  }

  /// Sets the buttons of the unit again after a change of the configuration.
  func configureAgain() { session?.updateTemplate(at: clock()) { unitTemplate(&$0) } }

  /// Sets or removes the picture of the buttons with this name. Returns false if there are too many pictures.
  package func setPicture(_ picture: ButtonPicture?, named name: String) -> Bool {
    var isSet = false
    session?.updateTemplate(at: clock()) { isSet = $0.setPicture(picture, named: name) }
    return isSet
  }

  // MARK: The template

  private func connected(_ surface: SurfaceDescription, _ new: inout NowPlayingTemplate) {
    apply(to: &new)
    lastNumber += 1
    connection = (lastNumber, clock().advanced(by: CommandReply.limit))
    send(.screenConnected(number: lastNumber, surface))
  }

  private func apply(to new: inout NowPlayingTemplate) {
    new.updateNowPlayingButtons(
      template.buttons.enumerated().map { index, button in
        NowPlayingButton(button) { [weak self] in self?.forward(.template(.button(index)), $0) }
      })
    new.setPicture(picture, named: NowPlayingTemplate.sourcePicture)
    unitTemplate(&new)
    new.isUpNextButtonEnabled = template.upNext != .off
    if case .title(let title) = template.upNext { new.upNextTitle = title }
    new.isAlbumArtistButtonEnabled = template.isAlbumArtistEnabled
  }

  // MARK: Commands and instructions

  /// - Parameter reply: nil if the sender of the command does not wait for the answer.
  private func forward(_ command: CommandRequest, _ reply: CommandReply?) {
    let isSilencing = command == .media(.pause) || command == .media(.stop)
    if isSilencing { gate = .closed }
    if command == .media(.play) { gate = .open }
    lastNumber += 1
    pending[lastNumber] = (reply, isSilencing, clock().advanced(by: CommandReply.limit))
    send(.command(number: lastNumber, command))
    onChange?()
    update()
  }

  private func follow(_ instruction: SessionInstruction) {
    if case .resume = instruction { gate = .open }
    send(.instruction(instruction))
    onChange?()
  }

  private func expireCommands(at now: MonotonicInstant) {
    let expired = pending.filter { $0.value.deadline <= now }
    guard !expired.isEmpty else { return }
    for number in expired.keys { pending[number] = nil }
    guard case .missed(let count) = answering else { return }
    if count + expired.count < Self.mostMissed {
      answering = .missed(count + expired.count)
    } else {
      answering = .silent
      gate = .closed
      onSilence?()
      onChange?()
    }
  }

  // MARK: The published state

  /// The stream that surfaces show. Nil if the app plays no stream.
  var leader: PlayedStream? {
    [follower, described.leader].lazy.compactMap { $0.flatMap { self.streams[$0] } }.first
  }

  /// The streams that the engine plays, one after the other.
  var players: [PlayedStream] {
    guard case .streams(_, let players, _) = described.playback, let leader else { return [] }
    return [leader] + players.filter { $0 != leader.number }.compactMap { streams[$0] }
  }

  /// Call this when the leader has ended, and the engine has gone on to another stream (E8). Surfaces show this stream
  /// at once, also if the app hangs.
  func passedOn(to stream: PlayedStream) { follower = stream.number }

  /// Call this when a stream was flushed. The leader that the app has named is heard again if it was flushed.
  func flushed(_ stream: PlayedStream) {
    if stream.number == described.leader { follower = nil }
  }

  /// True if a stream of the session is to be heard.
  var isAudible: Bool {
    described.isPlaying && gate == .open && leader != nil && session?.sound.hold == nil
      && session?.isPrimary == true
  }

  /// True if the app is to play, although it can be held now.
  var isWanted: Bool { described.isPlaying && gate == .open && session?.isPrimary == true }

  /// The time at which ``update()`` must be called even without an event. Nil if there is no such time.
  var nextDeadline: MonotonicInstant? { pending.values.map(\.deadline).min() }

  /// Publishes the state, and tells the app its status if it has changed.
  func update() {
    let now = clock()
    expireCommands(at: now)
    session?.publish(description(at: now), at: now)
    guard let session else { return }
    var status = AppStatus()
    status.isPrimary = session.isPrimary
    status.hold = session.sound.hold
    status.missing = session.missingParts
    status.language = center.state.language
    if status != self.status {
      self.status = status
      send(.status(status))
    }
  }

  private func description(at now: MonotonicInstant) -> SessionDescription {
    var description = SessionDescription(
      content: content.map(completed),
      playback: .snapshot(snapshot(at: now)),
      commands: commands, upNext: described.upNext, publishesItself: described.publishesItself)
    description.obstacle = described.obstacle
    return description
  }

  /// The content that surfaces show. Nil if there is none.
  var content: MediaContent? { leader?.content ?? described.content }

  private func snapshot(at now: MonotonicInstant) -> MediaPlaybackSnapshot? {
    switch described.playback {
    case .snapshot(let snapshot?) where gate == .closed && snapshot.isAdvancingOrBuffering:
      MediaPlaybackSnapshot(
        state: .paused, defaultPlaybackRate: snapshot.defaultPlaybackRate,
        elapsedTime: snapshot.position(at: now, duration: described.content?.duration),
        timestamp: now, seekNumber: snapshot.seekNumber)
    case .snapshot(let snapshot): snapshot
    case .streams(let state, _, _): leader.map { snapshot(of: $0, state, at: now) }
    }
  }

  /// The position comes from the frames that are heard, and not from the app.
  private func snapshot(
    of stream: PlayedStream, _ published: MediaPlaybackSnapshot.PlaybackState,
    at now: MonotonicInstant
  ) -> MediaPlaybackSnapshot {
    let (rate, normal) = stream.rates
    var state = published
    if case .playing = published {
      let isLast = players.dropFirst().allSatisfy(\.hasEnded)
      state =
        stream.hasEnded && isLast ? .stopped : isStarved ? .buffering : .playing(rate: rate)
    }
    if gate == .closed, state != .stopped { state = .paused }
    return MediaPlaybackSnapshot(
      state: state, defaultPlaybackRate: normal, elapsedTime: stream.isLive ? nil : stream.elapsed,
      timestamp: now, seekNumber: stream.flushes)
  }

  private var commands: [MediaCommand] {
    if case .silent = answering {
      return [.play { [weak self] in self?.forward(.media(.play), $0) }]
    }
    return described.commands.map { offer in
      .forwarded(offer) { [weak self] in self?.forward(.media($0), $1) }
    }
  }

  // MARK: Covers

  /// The center calls the provider of a cover on the control thread only.
  private struct CoverProvider: @unchecked Sendable {
    weak var session: AppSession?
  }

  /// The content with the name of the app, and with a cover that the app delivers.
  private func completed(_ content: MediaContent) -> MediaContent {
    var content = content
    let others = content.metadata.items.filter { $0.identifier != .appName }
    content.metadata = MetadataItems(others + [MetadataItem(.appName, name)])
    guard let id = content.artwork?.id else { return content }
    let provider = CoverProvider(session: self)
    content.artwork = Artwork(id: id) { request in
      guard let session = provider.session else { return .none }
      session.send(.artworkWanted(request))
      return .later
    }
    return content
  }

  // MARK: The end

  /// See ``MediaSession/outputLost(at:)``.
  func setOutputLost(_ isLost: Bool) {
    if isLost { session?.outputLost(at: clock()) } else { session?.outputRegained(at: clock()) }
  }

  /// True if the app was heard, or was to be heard, when its connection ended.
  var wasPlaying: Bool { isWanted }

  /// Ends the session with all its streams. The commands that the app has not answered fail.
  func end(notifyingOthers: Bool) {
    for stream in streams.values { stream.stopReading() }
    streams = [:]
    session?.end(notifyingOthers: notifyingOthers, at: clock())
    session = nil
    // The end of the session has answered these commands.
    pending = [:]
    onChange?()
  }
}

extension AppDescription {
  /// The number of the stream that surfaces show. Nil if the app plays no stream.
  var leader: Int? {
    if case .streams(_, _, let leader) = playback { leader } else { nil }
  }

  /// True if the app is to be heard.
  var isPlaying: Bool {
    switch playback {
    case .snapshot(let snapshot): snapshot?.isAdvancingOrBuffering ?? false
    case .streams(.playing, _, _), .streams(.buffering, _, _): true
    case .streams: false
    }
  }
}

extension MediaPlaybackSnapshot {
  var isAdvancingOrBuffering: Bool { status.isAdvancing || state == .buffering }
}
