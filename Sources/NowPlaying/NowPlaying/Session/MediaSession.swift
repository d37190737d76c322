/// A source's connection to the head unit: the only place at which the source describes itself
/// (P5). Control thread only.
///
/// ``NowPlayingCenter/openSession(_:audio:didConnect:instruct:at:)`` creates the session, so
/// commands cannot exist before their channel (C8). The session ends with ``end(at:)``, or when its
/// last reference is released. Its commands end with it (C6). If closures of the source refer to
/// the source, they must do so weakly; otherwise the source is never released.
public final class MediaSession {
  /// The identity.
  public let id: SessionID
  private let center: NowPlayingCenter
  private let generation: Int

  init(_ id: SessionID, generation: Int, center: NowPlayingCenter) {
    self.id = id
    self.generation = generation
    self.center = center
  }

  deinit { center.end(id, generation, notifyingOthers: true, at: nil) }

  /// Publishes the complete description of the source as one value (P4). May be called at any rate;
  /// surfaces are informed only of changes (P1, P2). No effect after the end of the session.
  public func publish(_ description: SessionDescription, at now: MonotonicInstant) {
    center.publish(description, id, generation, at: now)
  }

  /// Activates the audio session, before playback (E2).
  public func activate(at now: MonotonicInstant) { center.activate(id, generation, at: now) }

  /// Deactivates the audio session, after playback (E2).
  /// - Parameter notifyingOthers: if true, sessions that this one held may resume.
  @discardableResult
  public func deactivate(notifyingOthers: Bool = true, at now: MonotonicInstant)
    -> DeactivationAnswer
  {
    center.deactivate(id, generation, notifyingOthers: notifyingOthers, at: now)
  }

  /// Requests to become Now Playing without starting playback (E5).
  @discardableResult
  public func becomeActiveIfPossible(at now: MonotonicInstant) -> PrimaryAnswer {
    center.becomeActive(id, generation, at: now)
  }

  /// Reports that the output is missing, because a USB sound device was removed or a device is busy
  /// (E7).
  public func outputLost(at now: MonotonicInstant) {
    center.setOutputLost(true, id, generation, at: now)
  }

  /// The output is back. A session that was playing claims to be Now Playing again, and resumes
  /// (E7).
  public func outputRegained(at now: MonotonicInstant) {
    center.setOutputLost(false, id, generation, at: now)
  }

  /// Changes the template after a screen has connected. The change is applied, and counted for the
  /// diagnosis (T1).
  public func updateTemplate(at now: MonotonicInstant, _ change: (inout NowPlayingTemplate) -> Void)
  {
    center.updateTemplate(id, generation, at: now, change)
  }

  /// Ends the session: its content, commands and buttons are removed (C6).
  public func end(notifyingOthers: Bool = true, at now: MonotonicInstant) {
    center.end(id, generation, notifyingOthers: notifyingOthers, at: now)
  }

  /// True if surfaces show this session.
  public var isPrimary: Bool { center.verdict(id, generation)?.isPrimary ?? false }
  /// The parts that are missing for the session to be Now Playing (E1).
  public var missingParts: [MissingPart] { center.verdict(id, generation)?.missing ?? [] }
  /// The rule for the sound of the session now.
  public var sound: SoundRule {
    center.verdict(id, generation)?.sound ?? .held(.audioSessionInactive)
  }
}

/// The answer to a request to become primary (E5).
public enum PrimaryAnswer: Hashable, Sendable {
  case granted
  case alreadyPrimary
  /// The missing parts; empty if the session has ended.
  case refused([MissingPart])
}

/// The answer to a deactivation (E2).
public enum DeactivationAnswer: Hashable, Sendable {
  case done
  /// Refused: playback must end before the audio session.
  case stillPlaying
}
