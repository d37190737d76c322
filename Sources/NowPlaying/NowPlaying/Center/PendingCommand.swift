/// A command that waits for the answer of a source.
struct PendingCommand {
  /// The session that has to answer.
  let session: SessionID
  let kind: CommandKind?
  let deadline: MonotonicInstant
  /// All senders that wait for the answer: one for each input path on which the press arrived (C9).
  var waiters: [(number: Int, answer: (CommandAnswer) -> Void)]
}

/// A seek key that is held down now.
struct HeldSeek {
  let session: SessionID
  let surface: SurfaceID
  let kind: CommandKind

  /// The request that is sent when the key is released.
  var end: MediaRequest { kind == .seekForward ? .seekForward(.end) : .seekBackward(.end) }
}
