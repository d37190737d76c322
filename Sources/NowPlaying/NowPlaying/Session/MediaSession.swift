/// A source's connection to the head unit. A source describes itself only through this connection (P5). Used on the
/// control thread only.
///
/// ``NowPlayingCenter/openSession(_:audio:starts:didConnect:instruct:at:)`` creates the session. So a source cannot
/// declare commands before it has a session (C8). The session ends with ``end(at:)``, or when its last reference is
/// released. The commands of the session end with it (C6). If closures of the source refer to the source, the reference
/// must be weak. Otherwise the source is never released.
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

  /// Publishes the complete description of the source as one value (P4). A source can call this method as often as it
  /// needs. Surfaces get a state only if something has changed (P1, P2). After the end of the session, this method has
  /// no effect.
  public func publish(_ description: SessionDescription, at now: MonotonicInstant) {
    center.publish(description, id, generation, at: now)
  }

  /// Activates the audio session. A source does this before playback (E2).
  public func activate(at now: MonotonicInstant) { center.activate(id, generation, at: now) }

  /// Deactivates the audio session. A source does this after playback (E2).
  /// - Parameter notifyingOthers: if true, the sessions that are held (silenced) because of this session are permitted
  ///   to resume.
  @discardableResult
  public func deactivate(notifyingOthers: Bool = true, at now: MonotonicInstant)
    -> DeactivationAnswer
  {
    center.deactivate(id, generation, notifyingOthers: notifyingOthers, at: now)
  }

  /// Requests to become Now Playing without starting playback (E5).
  /// - Parameter isWanted: false if no person has requested it. It is then refused if a start would not be a claim
  ///   (``StartRule``).
  public func becomeActiveIfPossible(
    isWanted: Bool = true, at now: MonotonicInstant
  ) -> PrimaryAnswer {
    center.becomeActive(id, generation, isWanted: isWanted, at: now)
  }

  /// Called when a person has chosen the source before it could become Now Playing. Its next start counts as wanted
  /// (``StartRule``).
  public func noteWanted(at now: MonotonicInstant) { center.noteWanted(id, generation, at: now) }

  /// Called when a person requests playback in another way than with the command *play*. The session becomes Now
  /// Playing (E5). If the session is held, it gets the instruction to resume when the hold ends (E4).
  public func requestPlay(at now: MonotonicInstant) {
    center.requestPlay(id, generation, at: now)
  }

  /// Reports that the session cannot use its output (E7). For example, a USB sound device was removed, or the sound
  /// device is busy.
  public func outputLost(at now: MonotonicInstant) {
    center.setOutputLost(true, id, generation, at: now)
  }

  /// Reports that the session can use its output again (E7). If people want the session to play and no other session
  /// plays, the session becomes Now Playing and resumes.
  public func outputRegained(at now: MonotonicInstant) {
    center.setOutputLost(false, id, generation, at: now)
  }

  /// Changes the template at another time than in `didConnect`. The change takes effect. But the diagnosis counts a
  /// late change while a screen is connected (T1).
  /// - Parameter isLate: nil if a change is late for a session without `didConnect` only.
  public func updateTemplate(
    isLate: Bool? = nil, at now: MonotonicInstant, _ change: (inout NowPlayingTemplate) -> Void
  ) {
    center.updateTemplate(id, generation, isLate: isLate, at: now, change)
  }

  /// Ends the session: its content, commands and buttons are removed (C6).
  public func end(notifyingOthers: Bool = true, at now: MonotonicInstant) {
    center.end(id, generation, notifyingOthers: notifyingOthers, at: now)
  }

  /// True if surfaces show this session.
  public var isPrimary: Bool { center.verdict(id, generation)?.isPrimary ?? false }
  /// The missing parts without which the session cannot be Now Playing (E1).
  public var missingParts: [MissingPart] { center.verdict(id, generation)?.missing ?? [] }
  /// The current rule for the sound of the session.
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
  /// The request is refused, because playback must end before the audio session is deactivated.
  case stillPlaying
}
