internal import AudioEngine
internal import NowPlaying
internal import PhoneLink

/// A prompt of a phone: a stream that is not music. The prompt is mixed over the sound that plays, which is lowered
/// meanwhile (E3). The prompt never becomes Now Playing.
///
/// Used on the control thread only.
final class PhonePrompt {
  static let sessionID = SessionID("phone-prompt")

  /// The stream of the prompt.
  let stream: PhoneStream.ID
  private let track: Int
  private var session: MediaSession?
  private let clock: () -> MonotonicInstant

  /// Opens a session, and plays the stream as an overlay.
  init(
    _ reader: StreamReader, name: String, track: Int, _ engine: PlaybackEngine,
    _ center: NowPlayingCenter, clock: @escaping () -> MonotonicInstant
  ) {
    stream = reader.stream.id
    self.track = track
    self.clock = clock
    let now = clock()
    session = center.openSession(
      Self.sessionID, audio: AudioSession(options: .duckOthers), instruct: { _ in }, at: now)
    session?.activate(at: now)
    session?.publish(
      SessionDescription(
        content: .generic(GenericContent(id: "prompt\(track)", title: name, duration: nil)),
        playback: .snapshot(
          MediaPlaybackSnapshot(state: .playing(), elapsedTime: nil, timestamp: now))),
      at: now)
    // The engine lowers the music itself, at the first frame of the overlay.
    engine.playOverlay(
      reader.track(id: track), musicGain: linearGain(decibels: center.ducking.decibels))
  }

  func end(_ engine: PlaybackEngine) {
    engine.stopOverlay(id: track)
    session?.end(at: clock())
    session = nil
  }
}
