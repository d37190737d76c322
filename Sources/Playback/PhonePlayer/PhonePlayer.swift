package import A2DPStream
package import AudioEngine
internal import Bluez
package import NowPlaying
package import PhoneLink

/// Plays the streams of phones. Each connected phone has a session, and the engine plays the stream of one phone.
///
/// Used on the control thread only. Call ``update()`` after each event that can change which phone is heard, and at
/// ``nextDeadline``.
package final class PhonePlayer: EngineUser {
  private let link: PhoneLink
  private let engine: PlaybackEngine
  private let center: NowPlayingCenter
  private let configure: (inout NowPlayingTemplate) -> Void
  private let clock: () -> MonotonicInstant
  private(set) var sources: [String: PhoneSource] = [:]
  /// The stream that the engine plays.
  private(set) var played: PhoneStream.ID?
  /// The number of the last stream that was sent to the engine as a track. It is negative, because tracks of files have
  /// positive numbers.
  private var lastTrack = 0
  private var isUpdating = false
  /// The phone for which the unit waits.
  private struct AwaitedPhone {
    let address: String
    let name: String
    let wait: SourceWait
  }

  private var awaited: AwaitedPhone?
  private var checkedFrames = 0
  /// The delay that was sent to the phone, and the stream to which this delay belongs.
  private var told: (stream: PhoneStream.ID, delay: Duration)?
  private static let delayStep = Duration.milliseconds(10)
  /// The interval at which the delay is checked while a stream is played.
  private static let delayInterval = Duration.seconds(2)
  private var prompt: PhonePrompt?
  private var isOutputLost = false
  /// True if the unit sends *play* to each phone that connects.
  package var playsConnectedPhones = false

  /// - Parameters:
  ///   - configure: sets the buttons of the screen while a phone is Now Playing. Called whenever a screen connects
  ///     (T1).
  ///   - clock: returns the current time.
  package init(
    _ link: PhoneLink, engine: PlaybackEngine, center: NowPlayingCenter,
    configure: @escaping (inout NowPlayingTemplate) -> Void = { _ in },
    clock: @escaping () -> MonotonicInstant
  ) {
    self.configure = configure
    self.link = link
    self.engine = engine
    self.center = center
    self.clock = clock
    link.onChange = { [weak self] in self?.changed($0) }
  }

  /// Called with the address and the name of a phone that has disconnected, but must play when it is connected again.
  package var onLoss: ((_ address: String, _ name: String) -> Void)?
  /// Called with the device path of a phone that must play, but whose sound (A2DP) is not connected.
  package var onSoundMissing: ((_ device: String) -> Void)?
  /// Called with the name of a phone when the wait for it has ended because the phone could not be connected in time.
  package var onAbsence: ((_ name: String) -> Void)?
  /// Called when a person has ended the wait for a phone.
  package var onWaitStopped: ((_ address: String) -> Void)?
  /// Called after each event of a phone.
  package var onActivity: (() -> Void)?

  /// Ends all sessions.
  package func shutDown() {
    awaited?.wait.end(.replaced)
    prompt?.end(engine)
    prompt = nil
    for source in sources.values { source.end() }
    sources = [:]
  }

  /// The time at which ``update()`` must be called even without an event; nil if there is no such time.
  package var nextDeadline: MonotonicInstant? {
    let deadlines = sources.values.filter { !$0.isMusic }.compactMap(\.musicDeadline)
    let now = clock()
    let prompts = sources.values.compactMap(\.promptBegin).filter { $0 > now }
    let starts = sources.values.compactMap(\.starting.deadline)
    let delay = played == nil ? nil : now.advanced(by: Self.delayInterval)
    return (deadlines + prompts + starts + [awaited?.wait.until, delay].compactMap { $0 }).min()
  }

  /// Waits for a phone, and tells it to play when it connects. Nothing plays meanwhile. The wait also ends when another
  /// source plays, when a person pauses, and after `time`.
  package func wait(for address: String, name: String, time: Duration) {
    let wait = SourceWait(
      for: PhoneSource.sessionID(address),
      showing: .generic(GenericContent(id: "phone-\(address)-awaited", title: name, duration: nil)),
      time: time, center, configure: configure, clock: clock)
    awaited = AwaitedPhone(address: address, name: name, wait: wait)
    wait.onEnd = { [weak self, weak wait] end in
      if self?.awaited?.wait === wait { self?.awaited = nil }
      switch end {
      case .connected, .replaced: break
      case .absent: self?.onAbsence?(name)
      case .stopped: self?.onWaitStopped?(address)
      }
    }
  }

  /// The name of the phone for which the unit waits. Nil if the unit does not wait.
  package var awaitedName: String? { awaited?.name }

  /// The phone that is Now Playing, or for which the unit waits. Nil if another source is Now Playing.
  package var primary: (address: String, name: String)? {
    if let awaited, awaited.wait.isPrimary { return (awaited.address, awaited.name) }
    let source = sources.values.first { $0.session?.isPrimary == true }
    return source.map { ($0.reading.address, $0.reading.name) }
  }

  /// True if the sound of a phone is heard now.
  package var isHeard: Bool { played != nil }

  /// The reader of the stream that the engine plays. Nil if no stream is played, or if the stream has ended.
  private var playedReader: StreamReader? {
    sources.values.compactMap(\.stream.reader).first { $0.stream.id == played }
  }

  /// True if the phone that is heard has sent sound since the last call. A phone can have a stream and send no packets.
  package func hasNewSound() -> Bool {
    let pushed = playedReader?.input.counts.pushed ?? 0
    defer { checkedFrames = pushed }
    return pushed > checkedFrames
  }

  /// Sets the buttons of the screen again after a change of the configuration.
  package func configureButtons() {
    for source in sources.values { source.configureAgain() }
    awaited?.wait.configureAgain()
  }

  /// Must be called when the output is lost, and when it works again.
  package func setOutputLost(_ isLost: Bool) {
    isOutputLost = isLost
    for source in sources.values { source.setOutputLost(isLost) }
  }

  /// Ends the wait for a phone that cannot be connected.
  package func endWait(for address: String) {
    if awaited?.address == address { awaited?.wait.end(.absent) }
  }

  /// Plays the phone with the device path `device`.
  package func choose(_ device: String, _ completion: @escaping (Refusal?) -> Void) {
    guard let source = sources[device] else {
      return completion(Refusal(.failed, "the phone is not connected"))
    }
    source.choose(completion)
  }

  /// Whether a phone plays, and the name of its app. Nil if the phone is not connected.
  package func playing(_ device: String) -> (plays: Bool, app: String?)? {
    sources[device].map { ($0.isPlaying, $0.reading.player?.name) }
  }

  // MARK: Changes

  private func changed(_ device: String) {
    defer {
      update()
      onActivity?()
    }
    guard link.isConnected(device), let reading = link.reading(device) else {
      if let source = sources.removeValue(forKey: device) { end(source) }
      return
    }
    let source = sources[device] ?? open(device, reading)
    source.update(reading, link.stream(device))
  }

  /// Handles the disconnection of a phone. The phone is reported as lost, so that the unit waits for it, in two cases:
  /// bluetoothd has ended while the phone played, or the phone has disconnected before it was ready to play.
  private func end(_ source: PhoneSource) {
    let hasToPlay = source.isConnecting || !link.isServiceRunning && source.isPlaying
    let isLost = hasToPlay && source.session?.isPrimary == true
    source.end()
    if isLost { onLoss?(source.reading.address, source.reading.name) }
  }

  private func open(_ device: String, _ reading: PhoneReading) -> PhoneSource {
    let isAwaited = awaited?.address == reading.address
    // The wait ends before the session of the phone begins, so that nothing else resumes.
    if isAwaited { awaited?.wait.end(.connected) }
    let source = PhoneSource(device, reading, link, center, configure: configure, clock: clock)
    source.onChange = { [weak self] in self?.update() }
    source.onSoundMissing = { [weak self] in self?.onSoundMissing?(device) }
    sources[device] = source
    if isOutputLost { source.setOutputLost(true) }
    if isAwaited || playsConnectedPhones { source.start() }
    return source
  }

  /// Decides again which stream the engine plays.
  package func update() {
    reportDelay()
    // This method can change sessions, which then call this method again.
    guard !isUpdating else { return }
    isUpdating = true
    defer { isUpdating = false }
    if let wait = awaited?.wait, wait.until <= clock() { wait.end(.absent) }
    for source in sources.values where source.needsRefresh { source.refresh() }
    let wanted = sources.values.first { $0.hasPermission && $0.audible != nil }?.audible
    if let wanted { play(wanted) } else { fallSilent() }
    updatePrompt()
  }

  private func play(_ reader: StreamReader) {
    guard played != reader.stream.id else { return }
    engine.acquire(for: self)
    lastTrack -= 1
    played = reader.stream.id
    engine.play(reader.track(id: lastTrack))
    // No track follows a stream.
    engine.setUpcoming(nil)
    engine.setPaused(false)
  }

  private func fallSilent() {
    // If the stream has ended by itself, the engine is not stopped, so the last frames of the stream are still played.
    if playedReader != nil { engine.stop() }
    played = nil
  }

  /// Tells the phone the delay until its sound is heard, so that the phone can show video in time with the sound.
  private func reportDelay() {
    guard let reader = playedReader else { return }
    let target = Duration.milliseconds(Int(reader.report.target * 1000))
    let old = told?.stream == reader.stream.id ? told?.delay ?? .zero : .zero
    guard max(target, old) - min(target, old) > Self.delayStep else { return }
    told = (reader.stream.id, target)
    link.setDelay(target, of: reader.stream.id)
  }

  /// Called before another source takes the engine.
  package func engineWillBeTaken() { played = nil }

  // MARK: Prompts

  /// Mixes a prompt over the sound that plays: a stream that is not music, such as a navigation announcement.
  private func updatePrompt() {
    let now = clock()
    let source = sources.values.first { source in
      source.promptBegin.map { $0 <= now } ?? false && source.audible != nil
        && source.audible?.stream.id != played
    }
    guard let source, let reader = source.audible else {
      prompt?.end(engine)
      prompt = nil
      return
    }
    guard prompt?.stream != reader.stream.id else { return }
    prompt?.end(engine)
    lastTrack -= 1
    prompt = PhonePrompt(
      reader, name: source.reading.name, track: lastTrack, engine, center, clock: clock)
  }

  // MARK: Status

  /// A connected phone, for reports.
  package struct Status {
    package let address: String
    package let name: String
    /// The path of the device in BlueZ.
    package let device: String
    /// The stream. Nil if the phone does not stream.
    package let stream: Stream?
    /// True if the phone reports a player.
    package let hasPlayer: Bool
    /// True if the phone reports the position of its player.
    package let hasPosition: Bool
    /// The status of the player, as the phone reports it.
    package let status: String?
    /// True if the frames of the stream are dropped, because the phone must be silent.
    package let isSilenced: Bool
  }

  /// A stream, for reports.
  package struct Stream {
    package let configuration: SBCConfiguration
    package let report: StreamReader.Report
    package let counts: LiveInput.Counts
    /// The lead in seconds: the average (the *level*) if it is known, otherwise the present value.
    package let lead: Double
    package let isMusic: Bool
    /// True if the engine plays the stream.
    package let isPlayed: Bool
  }

  /// The connected phones, sorted by name.
  package var statuses: [Status] {
    sources.values.sorted { ($0.reading.name, $0.device) < ($1.reading.name, $1.device) }.map(
      status)
  }

  private func status(_ source: PhoneSource) -> Status {
    let player = source.reading.player
    return Status(
      address: source.reading.address, name: source.reading.name, device: source.device,
      stream: source.stream.reader.map { stream($0, source) }, hasPlayer: player != nil,
      hasPosition: source.reading.position != nil, status: player?.status?.rawValue,
      isSilenced: source.stream.reader != nil && source.audible == nil)
  }

  private func stream(_ reader: StreamReader, _ source: PhoneSource) -> Stream {
    Stream(
      configuration: reader.stream.configuration, report: reader.report,
      counts: reader.input.counts, lead: reader.report.level ?? reader.input.lead,
      isMusic: source.isMusic,
      isPlayed: reader.stream.id == played)
  }
}
