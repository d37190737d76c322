/// The data about a session that arbitration needs.
public struct Candidate: Hashable, Sendable {
  /// The session.
  public var id: SessionID
  /// Defines how the sound of the session combines with the sound of other sessions.
  public var audio: AudioSession
  /// True if the audio session is active (E2).
  public var isActive: Bool
  /// True if the session was Now Playing and has deactivated its audio session itself. Surfaces show such a session
  /// until another one makes a claim.
  public var hasEnded: Bool
  /// True if the session has published content.
  public var hasContent: Bool
  /// The commands of the session. Each command has a handler, because a source cannot declare a command without a
  /// handler.
  public var commands: [CommandOffer]
  /// True if the source reports that it sounds.
  public var isSounding: Bool
  /// The number of the last claim of the session. A session makes a claim when it starts to play or requests to become
  /// primary. The number grows with each claim of any session. 0 means that the session has made no claim.
  public var claim: Int
  /// True if the session has lost its output (E7).
  public var isOutputLost: Bool

  public init(
    id: SessionID, audio: AudioSession = AudioSession(), isActive: Bool = true,
    hasEnded: Bool = false, hasContent: Bool = true, commands: [CommandOffer],
    isSounding: Bool = false, claim: Int = 0, isOutputLost: Bool = false
  ) {
    self.id = id
    self.audio = audio
    self.isActive = isActive
    self.hasEnded = hasEnded
    self.hasContent = hasContent
    self.commands = commands
    self.isSounding = isSounding
    self.claim = claim
    self.isOutputLost = isOutputLost
  }
}
