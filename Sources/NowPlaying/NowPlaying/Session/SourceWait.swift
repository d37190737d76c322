/// The wait for a source that is to play when it comes back. Examples: the phone that played before a power cut, and a
/// program that has crashed. The wait has a session with the identity of the source, so that surfaces show the source,
/// and so that no other source starts to play by itself.
///
/// Used on the control thread only.
public final class SourceWait {
  /// How a wait ends.
  public enum End: Hashable, Sendable {
    /// The source has come back.
    case connected
    /// The source has not come back in time, or cannot come back.
    case absent
    /// A person has pressed *pause* or *stop*.
    case stopped
    /// Another source plays, or the daemon ends.
    case replaced
  }

  /// The time at which the wait ends at the latest.
  public let until: MonotonicInstant
  private let configure: (inout NowPlayingTemplate) -> Void
  private let clock: () -> MonotonicInstant
  private var session: MediaSession?
  /// Called when the wait has ended.
  public var onEnd: ((End) -> Void)?

  /// - Parameters:
  ///   - content: what surfaces show meanwhile.
  ///   - configure: sets the buttons of the screen. Called whenever a screen connects (T1).
  public init(
    for id: SessionID, showing content: MediaContent, time: Duration, _ center: NowPlayingCenter,
    configure: @escaping (inout NowPlayingTemplate) -> Void, clock: @escaping () -> MonotonicInstant
  ) {
    self.configure = configure
    self.clock = clock
    let now = clock()
    until = now.advanced(by: time)
    session = center.openSession(
      id, didConnect: { configure(&$1) },
      instruct: { [weak self] in if case .pause(.takenOver) = $0 { self?.end(.replaced) } }, at: now
    )
    session?.activate(at: now)
    session?.publish(
      SessionDescription(
        content: content,
        playback: .snapshot(
          MediaPlaybackSnapshot(state: .buffering, elapsedTime: nil, timestamp: now)),
        commands: [
          .pause { [weak self] in self?.stop($0) }, .stop { [weak self] in self?.stop($0) },
        ]),
      at: now)
  }

  /// Sets the buttons of the screen again after a change of the configuration.
  public func configureAgain() { session?.updateTemplate(at: clock(), configure) }

  /// True if the wait is Now Playing.
  public var isPrimary: Bool { session?.isPrimary ?? false }

  private func stop(_ reply: CommandReply) {
    reply(.success, at: clock())
    end(.stopped)
  }

  /// Ends the wait. No other source resumes by itself.
  public func end(_ end: End) {
    guard let session else { return }
    self.session = nil
    session.end(notifyingOthers: false, at: clock())
    onEnd?(end)
  }
}
