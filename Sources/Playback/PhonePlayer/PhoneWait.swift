internal import NowPlaying

/// The wait for a phone, for example for the last source before a power cut. The wait has a session, so that surfaces
/// show the phone, and so that no other source starts to play by itself.
///
/// Used on the control thread only.
final class PhoneWait {
  let address: String
  let name: String
  /// How a wait ends.
  enum End {
    /// The phone is connected.
    case connected
    /// The phone was not connected in time, or cannot be connected.
    case absent
    /// A person has pressed *pause* or *stop*.
    case stopped
    /// Another source plays, or the daemon ends.
    case replaced
  }

  /// The time at which the wait ends at the latest.
  let until: MonotonicInstant
  private let configure: (inout NowPlayingTemplate) -> Void
  private let clock: () -> MonotonicInstant
  private var session: MediaSession?
  /// Called when the wait has ended.
  var onEnd: ((End) -> Void)?

  init(
    _ address: String, name: String, time: Duration, _ center: NowPlayingCenter,
    configure: @escaping (inout NowPlayingTemplate) -> Void, clock: @escaping () -> MonotonicInstant
  ) {
    self.address = address
    self.name = name
    self.configure = configure
    self.clock = clock
    let now = clock()
    until = now.advanced(by: time)
    session = center.openSession(
      PhoneSource.sessionID(address), didConnect: { configure(&$1) },
      instruct: { [weak self] in if case .pause(.takenOver) = $0 { self?.end(.replaced) } }, at: now
    )
    session?.activate(at: now)
    session?.publish(
      SessionDescription(
        content: .generic(
          GenericContent(id: "phone-\(address)-awaited", title: name, duration: nil)),
        playback: .snapshot(
          MediaPlaybackSnapshot(state: .buffering, elapsedTime: nil, timestamp: now)),
        commands: [
          .pause { [weak self] in self?.stop($0) }, .stop { [weak self] in self?.stop($0) },
        ]),
      at: now)
  }

  /// Sets the buttons of the screen again after a change of the configuration.
  func configureAgain() { session?.updateTemplate(at: clock(), configure) }

  /// True if the wait is Now Playing.
  var isPrimary: Bool { session?.isPrimary ?? false }

  private func stop(_ reply: CommandReply) {
    reply(.success, at: clock())
    end(.stopped)
  }

  /// Ends the wait. No other source resumes by itself.
  func end(_ end: End) {
    guard let session else { return }
    self.session = nil
    session.end(notifyingOthers: false, at: clock())
    onEnd?(end)
  }
}
