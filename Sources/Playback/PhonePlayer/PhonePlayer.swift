package import AudioEngine
package import NowPlaying
package import PhoneLink

/// Plays what phones stream: each connected phone is a session, and the engine plays one of them.
///
/// Used on the control thread only. Call ``update()`` after each event that may have changed what may sound,
/// and at ``nextDeadline``.
package final class PhonePlayer: EngineUser {
  private let link: PhoneLink
  private let engine: PlaybackEngine
  private let center: NowPlayingCenter
  private let clock: () -> MonotonicInstant
  private var sources: [String: PhoneSource] = [:]
  /// The stream that the engine plays.
  private var played: PhoneStream.ID?
  /// The last number of a track. Tracks of files have positive numbers.
  private var lastTrack = 0
  private var isUpdating = false

  /// - Parameter clock: the clock of the machine.
  package init(
    _ link: PhoneLink, engine: PlaybackEngine, center: NowPlayingCenter,
    clock: @escaping () -> MonotonicInstant
  ) {
    self.link = link
    self.engine = engine
    self.center = center
    self.clock = clock
    link.onChange = { [weak self] in self?.changed($0) }
  }

  /// Called after each event of a phone.
  package var onActivity: (() -> Void)?

  /// Ends all sessions.
  package func shutDown() {
    for source in sources.values { source.end(resumesOthers: false) }
    sources = [:]
  }

  /// The time at which ``update()`` has work to do; nil if there is none.
  package var nextDeadline: MonotonicInstant? {
    sources.values.filter { !$0.isMusic }.compactMap(\.musicDeadline).min()
  }

  /// True if the sound of a phone is heard now.
  package var isHeard: Bool { played != nil }

  // MARK: Changes

  private func changed(_ device: String) {
    defer {
      update()
      onActivity?()
    }
    guard link.connected.contains(device), let reading = link.reading(device) else {
      sources.removeValue(forKey: device)?.end(resumesOthers: false)
      return
    }
    let source = sources[device] ?? open(device, reading)
    source.update(reading, link.stream(device))
  }

  private func open(_ device: String, _ reading: PhoneReading) -> PhoneSource {
    let source = PhoneSource(device, reading, link, center, clock: clock)
    source.onChange = { [weak self] in self?.update() }
    sources[device] = source
    return source
  }

  /// Decides again which stream the engine plays.
  package func update() {
    // A change of what is heard can change sessions, which call this method.
    guard !isUpdating else { return }
    isUpdating = true
    defer { isUpdating = false }
    for source in sources.values where !source.isMusic && source.stream.reader != nil {
      source.refresh()
    }
    let wanted = sources.values.first { $0.hasPermission && $0.audible != nil }?.audible
    if let wanted { play(wanted) } else { fallSilent() }
  }

  private func play(_ reader: StreamReader) {
    guard played != reader.stream.id else { return }
    engine.take(for: self)
    lastTrack -= 1
    played = reader.stream.id
    engine.play(reader.track(id: lastTrack))
    engine.setPaused(false)
  }

  private func fallSilent() {
    guard let id = played else { return }
    played = nil
    // The end of a stream is played to its last frame.
    if sources.values.contains(where: { $0.stream.reader?.stream.id == id }) { engine.stop() }
  }

  /// Another source begins to play.
  package func engineWillBeTaken() { played = nil }
}
