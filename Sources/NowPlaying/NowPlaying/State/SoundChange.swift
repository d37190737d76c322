/// A change that explains why music started or stopped: who took Now Playing, who interrupted, and who paused.
public struct SoundChange: Hashable, Sendable {
  /// What has changed.
  public enum Event: Hashable, Sendable {
    /// Another session became Now Playing. Nil stands for no session.
    case primary(SessionID?, from: SessionID?, PrimaryReason)
    case interruptionBegan(Interruption.Reason)
    /// If `shouldResume` is false, what was interrupted stays paused.
    case interruptionEnded(Interruption.Reason, shouldResume: Bool)
    case outputLost(SessionID)
    case outputRegained(SessionID)
    /// A surface has sent *pause* or *stop*, while the session was to play. `command` is the number in the trace.
    case paused(SessionID, by: SurfaceID, command: Int)
    /// The session stopped without a command and without a hold. Examples: the end of the queue, and a pause on the
    /// phone itself.
    case stopped(SessionID, PlaybackStatus)
  }

  /// Why a session became Now Playing.
  public enum PrimaryReason: Hashable, Sendable {
    /// The session started to play (E5).
    case started
    /// The session was chosen.
    case chosen
    /// The output of the session works again (E7).
    case outputRegained
    /// The session before has ended, or has nothing to show any more (E6).
    case remaining
  }

  /// The number of the change, counted from 1.
  public let number: Int
  /// What has changed.
  public let event: Event
  /// The time of the change.
  public let at: MonotonicInstant
}

extension SoundChange.Event: CustomStringConvertible {
  /// The change in words.
  public var description: String {
    switch self {
    case .primary(let new?, let old, let reason):
      old.map { "\(new) is Now Playing in place of \($0): \(reason)" } ?? "\(new) is Now Playing"
    case .primary(nil, let old, _):
      "\(old.map { "\($0)" } ?? "nothing") is not Now Playing any more"
    case .interruptionBegan(let reason): "\(reason) begins"
    case .interruptionEnded(let reason, let shouldResume):
      "\(reason) ends" + (shouldResume ? "" : "; the music stays paused")
    case .outputLost(let session): "the output of \(session) is lost"
    case .outputRegained(let session): "the output of \(session) works again"
    case .paused(let session, let surface, let command):
      "\(surface) paused \(session) (command #\(command))"
    case .stopped(let session, let status): "\(session) stopped by itself: \(status.rawValue)"
    }
  }
}

extension SoundChange.PrimaryReason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .started: "it started to play"
    case .chosen: "it was chosen"
    case .outputRegained: "its output works again"
    case .remaining: "the source before has ended"
    }
  }
}
