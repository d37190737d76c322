internal import AudioEngine
internal import Bluez
internal import NowPlaying
internal import PhoneLink

/// A phone as a source of Now Playing: its session, and the decision whether its stream is music, is a prompt, or must
/// be silent.
///
/// Used on the control thread only. ``PhonePlayer`` has an object of this type for each phone, and gives the engine to
/// one of these objects.
final class PhoneSource {
  /// The stream of a phone that reports no status counts as music after this time. Until then, the stream can be a
  /// prompt.
  private static let musicTime = Duration.seconds(10)

  /// Whether the sound of the phone may be heard.
  private enum Gate {
    case open
    /// The unit has sent *pause*. Some phones do not obey, so the unit reads the stream and drops its frames. The gate
    /// opens when the unit sends *play*, when the phone plays again by itself, or with the next stream.
    case closed
  }

  /// The stream of the phone.
  enum Stream {
    case none
    case reading(StreamReader, since: MonotonicInstant)

    var reader: StreamReader? {
      if case .reading(let reader, _) = self { reader } else { nil }
    }
  }

  let device: String
  let link: PhoneLink
  private let center: NowPlayingCenter
  private let configure: (inout NowPlayingTemplate) -> Void
  let clock: () -> MonotonicInstant
  private(set) var session: MediaSession?
  private(set) var reading: PhoneReading
  private(set) var stream = Stream.none
  private var gate = Gate.open
  /// True from the moment when the stream is recognised as music until the stream ends.
  private(set) var isMusic = false
  private(set) var starting = Start.none
  private static let startTime = Duration.seconds(10)
  /// A phone that connects by itself also connects its sound (A2DP) within this time. If it does not, the unit connects
  /// the sound. Example: the daemon was restarted while the phone was connected.
  private static let soundTime = Duration.seconds(3)
  /// The position of the phone when its sound was last heard. `number` identifies the reported position from which this
  /// position was computed.
  private var frozen: (position: Duration, number: Int)?
  private var wasPlaying = false
  /// The last track of the phone, and the number of tracks so far.
  private var content = (number: 0, track: BluezMediaPlayer.Track())
  /// Called when the sound of the phone must be connected.
  var onSoundMissing: (() -> Void)?
  /// Called when ``gate`` or ``hasPermission`` may have changed.
  var onChange: (() -> Void)?

  init(
    _ device: String, _ reading: PhoneReading, _ link: PhoneLink, _ center: NowPlayingCenter,
    configure: @escaping (inout NowPlayingTemplate) -> Void, clock: @escaping () -> MonotonicInstant
  ) {
    self.configure = configure
    self.device = device
    self.reading = reading
    self.link = link
    self.center = center
    self.clock = clock
    let now = clock()
    session = center.openSession(
      Self.sessionID(reading.address),
      didConnect: { _, template in configure(&template) },
      instruct: { [weak self] in self?.follow($0) }, at: now)
    session?.activate(at: now)
    publish()
  }

  /// Sets the buttons of the screen again after a change of the configuration.
  func configureAgain() { session?.updateTemplate(at: clock(), configure) }

  /// Identity of the session of a phone.
  static func sessionID(_ address: String) -> SessionID { SessionID("phone-\(address)") }

  // MARK: Changes

  /// Handles a new reading of the phone, and its present stream.
  func update(_ reading: PhoneReading, _ stream: PhoneStream?) {
    let wasPlaying = isReportedPlaying
    self.reading = reading
    setStream(stream)
    // If the phone starts to play by itself, a person has pressed *play* on the phone.
    if isReportedPlaying, !wasPlaying { gate = .open }
    noteTrack()
    refresh()
    startIfPossible()
  }

  /// Tells the phone to play now, or as soon as its sound and its player are connected.
  func start() {
    let now = clock()
    starting = .connecting(
      dialsAt: now.advanced(by: Self.soundTime), until: now.advanced(by: Self.startTime))
    publish()
    startIfPossible()
  }

  private func startIfPossible() {
    guard isConnecting, isReady else { return }
    starting = .none
    if !isPlaying { play { _ in } }
  }

  /// True if ``refresh()`` must be called: a deadline of the start has passed, or the stream is not known to be music
  /// yet.
  var needsRefresh: Bool {
    starting.deadline.map { $0 <= clock() } ?? false || !isMusic && stream.reader != nil
  }

  /// See ``MediaSession/outputLost(at:)``.
  func setOutputLost(_ isLost: Bool) {
    if isLost { session?.outputLost(at: clock()) } else { session?.outputRegained(at: clock()) }
  }

  /// Decides again whether the stream is music, and publishes.
  func refresh() {
    endStartIfDue()
    if self.stream.reader == nil {
      isMusic = false
    } else if isReportedPlaying || musicDeadline.map({ $0 <= clock() }) ?? false {
      isMusic = true
    }
    publish()
  }

  private func setStream(_ new: PhoneStream?) {
    guard new?.id != stream.reader?.stream.id else { return }
    stream.reader?.stop()
    stream = .none
    guard let new, let reader = StreamReader(new) else { return }
    stream = .reading(reader, since: clock())
    gate = .open
  }

  private func noteTrack() {
    let track = reading.player?.track ?? .init()
    let isSame =
      track.title == content.track.title && track.artist == content.track.artist
      && track.album == content.track.album
    content = (isSame ? content.number : content.number + 1, track)
  }

  /// The time at which the stream of a phone that reports no status counts as music. Nil for other phones and without a
  /// stream.
  var musicDeadline: MonotonicInstant? {
    guard case .reading(_, let since) = stream, reading.player?.status == nil else { return nil }
    return since.advanced(by: Self.musicTime)
  }

  /// A phone that plays music reports *playing* before its stream begins, or at most this time after the stream has
  /// begun. Otherwise the stream is a prompt.
  private static let promptTime = Duration.milliseconds(200)

  /// The time at which a stream that is not music counts as a prompt. Nil if there is no such stream.
  var promptBegin: MonotonicInstant? {
    guard case .reading(_, let since) = stream, !isMusic else { return nil }
    return since.advanced(by: Self.promptTime)
  }

  /// True if the phone reports that it plays.
  private var isReportedPlaying: Bool {
    switch reading.player?.status {
    case .playing, .seekingForward, .seekingBackward: true
    case .paused, .stopped, .error, nil: false
    }
  }

  /// True if the phone plays music that may be heard.
  var isPlaying: Bool {
    guard isMusic, case .open = gate else { return false }
    return isReportedPlaying || reading.player?.status == nil
  }

  /// The stream if it may be heard. Nil if the phone does not stream, or must be silent.
  var audible: StreamReader? {
    guard case .open = gate else { return nil }
    return stream.reader
  }

  /// True if the phone is Now Playing and may sound.
  var hasPermission: Bool { session?.isPrimary == true && session?.sound.hold == nil }

  /// Ends the session. No other source resumes, so the unit is silent when the phone disconnects.
  func end() {
    stream.reader?.stop()
    stream = .none
    session?.end(notifyingOthers: false, at: clock())
    session = nil
  }

  // MARK: Instructions and commands

  private func follow(_ instruction: SessionInstruction) {
    switch instruction {
    case .pause: silence()
    case .resume: resume()
    // The engine lowers the sound while an overlay sounds.
    case .duck, .unduck: break
    }
  }

  /// Tells the phone to play. Does nothing if the phone plays already. While the phone is connecting, the command is
  /// sent only once, as soon as the phone is ready.
  private func resume() {
    if case .connecting = starting {
      startIfPossible()
    } else if !isPlaying {
      starting = .resuming(until: clock().advanced(by: Self.startTime))
      play { [weak self] in if $0 != nil { self?.giveUp() } }
    }
  }

  private func endStartIfDue() {
    switch starting {
    case .resuming where isPlaying: starting = .none
    case .resuming(let until) where until <= clock(): giveUp()
    case .connecting(_, let until) where until <= clock(): starting = .none
    case .connecting(let dialsAt?, let until) where dialsAt <= clock():
      starting = .connecting(dialsAt: nil, until: until)
      if !link.hasSound(device) { onSoundMissing?() }
    case .none, .connecting, .resuming: break
    }
  }

  /// Handles a phone that does not obey *play*. Publishes *stopped*, so that the session does not expect the phone to
  /// play any more and the next *play* is sent again.
  private func giveUp() {
    starting = .none
    session?.publish(description(content.number, state: .stopped), at: clock())
    publish()
  }

  /// Tells the phone to pause, and drops its sound at once.
  func silence(_ completion: @escaping (Refusal?) -> Void = { _ in }) {
    gate = .closed
    starting = .none
    playAttempt = nil
    if reading.player == nil { completion(nil) } else { link.send(.pause, to: device, completion) }
    publish()
    onChange?()
  }

  /// Tells the phone to play. A *play* that the phone has not answered yet is not sent again: a person who chooses a
  /// phone that was held causes two requests, and the phone gets one command.
  func play(_ completion: @escaping (Refusal?) -> Void) {
    gate = .open
    if reading.player == nil, stream.reader != nil {
      completion(nil)
    } else if let playAttempt {
      playAttempt.waiting.append(completion)
    } else {
      let attempt = PlayAttempt(completion)
      playAttempt = attempt
      link.send(.play, to: device) { [weak self] refusal in
        if self?.playAttempt === attempt { self?.playAttempt = nil }
        for answer in attempt.waiting { answer(refusal) }
      }
    }
    publish()
    onChange?()
  }

  /// A *play* that the phone has not answered yet.
  private final class PlayAttempt {
    var waiting: [(Refusal?) -> Void]

    init(_ completion: @escaping (Refusal?) -> Void) { waiting = [completion] }
  }

  /// Nil if each *play* is answered, or if a *pause* was sent after it.
  private var playAttempt: PlayAttempt?

  /// Makes the phone Now Playing, and tells it to play as soon as it is ready.
  func choose(_ completion: @escaping (Refusal?) -> Void) {
    if case .refused(let missing)? = session?.becomeActiveIfPossible(at: clock()) {
      let reason = missing.map(\.finding).joined(separator: ", ")
      return completion(Refusal(.failed, "the phone cannot be shown: \(reason)"))
    }
    if isReady {
      play(completion)
    } else {
      start()
      completion(nil)
    }
    onChange?()
  }

  private func publish() {
    freeze()
    session?.publish(description(content.number), at: clock())
  }

  /// When the sound of the phone stops being heard, stores the position. This position is published until the phone
  /// reports another position.
  private func freeze() {
    defer { wasPlaying = isPlaying }
    if isPlaying {
      frozen = nil
    } else if wasPlaying, let position = reading.position {
      frozen = (position.time + clock().wholeTime(since: position.at), position.number)
    }
  }

  // MARK: The start

  /// Whether the unit tries to make the phone play, and until when it tries.
  enum Start {
    case none
    /// The phone is not ready yet: its sound and its player are connected one after the other, within some seconds. A
    /// phone that is told to play before its sound is connected plays through its own loudspeaker. At `dialsAt`, the
    /// unit connects the sound itself; from then on, `dialsAt` is nil.
    case connecting(dialsAt: MonotonicInstant?, until: MonotonicInstant)
    /// The phone was told to play after an interruption. A phone can accept the command and stay silent.
    case resuming(until: MonotonicInstant)

    var deadline: MonotonicInstant? {
      switch self {
      case .none: nil
      case .connecting(let dialsAt, let until): dialsAt ?? until
      case .resuming(let until): until
      }
    }
  }

  /// True if the phone can be told to play: its sound is connected, and it has a player or streams.
  private var isReady: Bool {
    link.hasSound(device) && (reading.player != nil || stream.reader != nil)
  }

  /// True if the phone must play, but is not ready yet.
  var isConnecting: Bool { if case .connecting = starting { true } else { false } }

  // MARK: The published state

  /// - Parameter state: if not nil, this state is published in place of the state that the phone reports.
  func description(
    _ number: Int, state: MediaPlaybackSnapshot.PlaybackState? = nil
  ) -> SessionDescription {
    SessionDescription(
      content: content(number), playback: .snapshot(snapshot(state)), commands: commands)
  }

  private func content(_ number: Int) -> MediaContent {
    let id = "phone-\(reading.address)-\(number)"
    let track = reading.player?.track ?? .init()
    let duration = track.duration.map { MediaDuration.finite(.milliseconds($0)) }
    guard track.title != nil || track.artist != nil || track.album != nil else {
      var content = GenericContent(
        id: id, title: reading.name, subtitle: reading.player?.name, duration: duration)
      if let name = reading.player?.name { content.metadata.append(MetadataItem(.appName, name)) }
      return .generic(content)
    }
    var items: MetadataItems = [MetadataItem(.title, track.title ?? reading.name)]
    let texts: [(MetadataIdentifier, String?)] = [
      (.artist, track.artist), (.albumName, track.album), (.genre, track.genre),
      (.appName, reading.player?.name),
    ]
    for (identifier, text) in texts {
      if let text { items.append(MetadataItem(identifier, text)) }
    }
    if let number = track.number { items.append(MetadataItem(.trackNumber, number)) }
    if let count = track.count { items.append(MetadataItem(.trackCount, count)) }
    return .music(MusicContent(id: id, metadata: items, duration: duration))
  }

  /// The position of the phone also advances while the unit is suspended. While the phone seeks, its position is
  /// unknown.
  private func snapshot(_ state: MediaPlaybackSnapshot.PlaybackState?) -> MediaPlaybackSnapshot {
    let now = clock()
    let position = reading.position
    func snapshot(
      _ state: MediaPlaybackSnapshot.PlaybackState, knowsPosition: Bool = true
    ) -> MediaPlaybackSnapshot {
      MediaPlaybackSnapshot(
        state: state, elapsedTime: knowsPosition ? position?.time : nil,
        timestamp: position?.at ?? now, advancesInSuspend: true)
    }
    if let state { return snapshot(state) }
    if !isPlaying {
      let silent = silentState
      guard let frozen, frozen.number == position?.number else { return snapshot(silent) }
      return MediaPlaybackSnapshot(
        state: silent, elapsedTime: frozen.position, timestamp: now, advancesInSuspend: true)
    }
    switch reading.player?.status {
    case .seekingForward:
      return snapshot(.playing(rate: Self.seekRate), knowsPosition: false)
    case .seekingBackward:
      return snapshot(.playing(rate: -Self.seekRate), knowsPosition: false)
    default: return snapshot(.playing())
    }
  }

  /// The state to publish for a phone that does not play.
  private var silentState: MediaPlaybackSnapshot.PlaybackState {
    switch starting {
    case .connecting: .buffering
    case .none, .resuming: .paused
    }
  }

  /// The published speed of a seek. A phone does not report how fast it seeks.
  private static let seekRate = 4.0
}
