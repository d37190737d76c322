internal import AudioCodecs
public import AudioEngine
public import NowPlaying

/// Plays a chime or a spoken file over the music, in a session that mixes, ducks the music and never becomes Now
/// Playing (E3).
///
/// Used on the control thread only. The session exists only while the sound plays.
public final class ChimeSource {
  /// Identity of the session.
  public static let sessionID = SessionID("chime")

  private let engine: PlaybackEngine
  private let center: NowPlayingCenter
  private let clock: () -> MonotonicInstant
  private var session: MediaSession?
  private var lastID = 0

  /// - Parameter clock: returns the current time.
  public init(
    engine: PlaybackEngine, center: NowPlayingCenter, clock: @escaping () -> MonotonicInstant
  ) {
    self.engine = engine
    self.center = center
    self.clock = clock
  }

  /// Plays a file over the music. If another file already plays over the music, the new file replaces it. A prompt of a
  /// phone continues, and the file is mixed into it. Returns nil, or the reason why the file cannot play.
  public func play(path: String, name: String) -> HoldReason? {
    let now = clock()
    guard center.arbitration.attenuation != .silent else { return .silenced }
    let session = session ?? open(at: now)
    self.session = session
    session.activate(at: now)
    if let reason = session.sound.hold {
      end()
      return reason
    }
    lastID += 1
    let content = GenericContent(id: "chime-\(lastID)", title: name, duration: nil)
    session.publish(
      SessionDescription(
        content: .generic(content),
        playback: .snapshot(
          MediaPlaybackSnapshot(state: .playing(), elapsedTime: nil, timestamp: now))),
      at: now)
    // The engine ducks the music itself, exactly at the first frame of the overlay.
    engine.playOverlay(
      .file(path, id: lastID), musicGain: linearGain(decibels: center.ducking.decibels),
      mixes: true)
    return nil
  }

  /// True if the file plays or is about to play.
  public var isSounding: Bool { session != nil }

  /// Call this when the engine reports that overlay `id` has ended or cannot be played.
  public func overlayEnded(id: Int) {
    if id == lastID { end() }
  }

  /// Fades out and ends the session.
  public func stop() {
    guard session != nil else { return }
    engine.stopOverlay(id: lastID)
    end()
  }

  private func open(at now: MonotonicInstant) -> MediaSession {
    center.openSession(
      Self.sessionID, audio: AudioSession(options: .duckOthers),
      instruct: { [weak self] instruction in
        if case .pause = instruction { self?.stop() }
      }, at: now)
  }

  private func end() {
    session?.end(at: clock())
    session = nil
  }
}
