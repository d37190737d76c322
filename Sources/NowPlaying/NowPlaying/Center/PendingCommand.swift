/// A command that a source is to answer.
struct PendingCommand {
  /// Whose; nil is the head unit.
  let session: SessionID
  let kind: CommandKind?
  let deadline: MonotonicInstant
  /// Everybody who waits for the answer: the press, and its twins from other input paths (C9).
  var waiters: [(number: Int, answer: (CommandAnswer) -> Void)]
}

/// A seek key that is held down now.
struct HeldSeek {
  let session: SessionID
  let surface: SurfaceID
  let kind: CommandKind

  /// What letting go sends.
  var end: MediaRequest { kind == .seekForward ? .seekForward(.end) : .seekBackward(.end) }
}
