/// What arbitration knows of a session.
public struct Candidate: Hashable, Sendable {
  /// Which.
  public var id: SessionID
  /// How its sound lives with others.
  public var audio: AudioSession
  /// Whether the audio session is active (E2).
  public var isActive: Bool
  /// Whether it has published content.
  public var hasContent: Bool
  /// Its commands; each has a handler, as a command cannot be declared without.
  public var commands: [CommandOffer]
  /// Whether its source says that it sounds.
  public var isSounding: Bool
  /// When it last asked to be Now Playing, by starting or in words: a number that grows with every
  /// claim of any session. 0 is never.
  public var claim: Int
  /// Whether its output has been taken from it (E7).
  public var isOutputLost: Bool

  /// See the fields.
  public init(
    id: SessionID, audio: AudioSession = AudioSession(), isActive: Bool = true,
    hasContent: Bool = true, commands: [CommandOffer], isSounding: Bool = false, claim: Int = 0,
    isOutputLost: Bool = false
  ) {
    self.id = id
    self.audio = audio
    self.isActive = isActive
    self.hasContent = hasContent
    self.commands = commands
    self.isSounding = isSounding
    self.claim = claim
    self.isOutputLost = isOutputLost
  }
}
