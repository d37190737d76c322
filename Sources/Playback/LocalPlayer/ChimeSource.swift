internal import AudioCodecs
public import AudioEngine
public import NowPlaying

/// A chime or a spoken file over the music: a session that mixes, turns the music down while it
/// sounds, and never becomes Now Playing (E3).
///
/// Control thread only. The session is there as long as the sound is.
public final class ChimeSource {
  /// By this name the session is known.
  public static let sessionID = SessionID("chime")

  private let engine: PlaybackEngine
  private let center: NowPlayingCenter
  private let clock: () -> MonotonicInstant
  private var session: MediaSession?
  private var lastID = 0

  /// - Parameter clock: the moment that it is.
  public init(
    engine: PlaybackEngine, center: NowPlayingCenter, clock: @escaping () -> MonotonicInstant
  ) {
    self.engine = engine
    self.center = center
    self.clock = clock
  }

  /// Plays a file over the music, instead of one that plays so already. Nil, or why not.
  public func play(path: String, name: String) -> HoldReason? {
    let now = clock()
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
    // The engine turns the music down itself, with the first frame of the overlay and not a
    // moment before.
    engine.playOverlay(
      .file(path, id: lastID), musicGain: linearGain(decibels: center.ducking.decibels))
    return nil
  }

  /// Whether it sounds, or is about to.
  public var isSounding: Bool { session != nil }

  /// The engine says that overlay `id` has ended or cannot be played.
  public func overlayEnded(id: Int) {
    if id == lastID { end() }
  }

  /// Fades it out and ends the session.
  public func stop() {
    guard session != nil else { return }
    engine.stopOverlay()
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
