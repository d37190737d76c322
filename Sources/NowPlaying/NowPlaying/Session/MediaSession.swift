/// A source's place in the head unit: what it says about itself goes in here, and nowhere else
/// (P5). Control thread only.
///
/// Made by ``NowPlayingCenter/openSession(_:audio:didConnect:instruct:at:)``, so its commands
/// cannot be there before their channel is (C8). It ends with ``end(at:)``, or when the last
/// reference to it goes; its commands go with it (C6). A source that its own closures hold must
/// be held weakly by them, or it never goes.
public final class MediaSession {
  /// Which.
  public let id: SessionID
  private let center: NowPlayingCenter
  private let generation: Int

  init(_ id: SessionID, generation: Int, center: NowPlayingCenter) {
    self.id = id
    self.generation = generation
    self.center = center
  }

  deinit { center.end(id, generation, notifyingOthers: true, at: nil) }

  /// Says how everything is now, as one value (P4). May be said as often as one likes; surfaces
  /// are told when it is news (P1, P2). Without effect after the end.
  public func publish(_ description: SessionDescription, at now: MonotonicInstant) {
    center.publish(description, id, generation, at: now)
  }

  /// Makes the audio session active, before playback (E2).
  public func activate(at now: MonotonicInstant) { center.activate(id, generation, at: now) }

  /// Makes it inactive, after playback (E2).
  /// - Parameter notifyingOthers: whoever was held by this session may go on.
  @discardableResult
  public func deactivate(notifyingOthers: Bool = true, at now: MonotonicInstant)
    -> DeactivationAnswer
  {
    center.deactivate(id, generation, notifyingOthers: notifyingOthers, at: now)
  }

  /// Asks to be Now Playing, without starting (E5).
  @discardableResult
  public func becomeActiveIfPossible(at now: MonotonicInstant) -> PrimaryAnswer {
    center.becomeActive(id, generation, at: now)
  }

  /// The output has been taken away: a stick of sound was pulled, a device is busy (E7).
  public func outputLost(at now: MonotonicInstant) {
    center.setOutputLost(true, id, generation, at: now)
  }

  /// The output is back. A session that was playing asks for its place again and goes on (E7).
  public func outputRegained(at now: MonotonicInstant) {
    center.setOutputLost(false, id, generation, at: now)
  }

  /// Changes what this source adds to the screen after it has connected. It is applied, and
  /// noted (T1).
  public func updateTemplate(at now: MonotonicInstant, _ change: (inout NowPlayingTemplate) -> Void)
  {
    center.updateTemplate(id, generation, at: now, change)
  }

  /// Ends the session: its content, its commands and its buttons are gone (C6).
  public func end(notifyingOthers: Bool = true, at now: MonotonicInstant) {
    center.end(id, generation, notifyingOthers: notifyingOthers, at: now)
  }

  /// Whether surfaces show it.
  public var isPrimary: Bool { center.verdict(id, generation)?.isPrimary ?? false }
  /// What it lacks to be Now Playing (E1).
  public var missingParts: [MissingPart] { center.verdict(id, generation)?.missing ?? [] }
  /// What its sound may do now.
  public var sound: SoundRule {
    center.verdict(id, generation)?.sound ?? .held(.audioSessionInactive)
  }
}

/// What a session that asked is told (E5).
public enum PrimaryAnswer: Hashable, Sendable {
  case granted
  case alreadyPrimary
  /// Why not; empty where the session has ended.
  case refused([MissingPart])
}

/// What a session that wants to be inactive is told (E2).
public enum DeactivationAnswer: Hashable, Sendable {
  case done
  /// First playback ends, then the audio session.
  case stillPlaying
}
