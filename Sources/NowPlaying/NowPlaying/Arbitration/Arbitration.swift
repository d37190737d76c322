/// The result of ``arbitrate(_:interruptions:)``: the primary session, and a verdict on each session.
public struct Arbitration: Hashable, Sendable {
  /// The decision about one session.
  public struct Verdict: Hashable, Sendable {
    /// The session that the verdict is about.
    public let id: SessionID
    /// The missing parts of the session (E1). Empty if the session is eligible.
    public let missing: [MissingPart]
    /// The rule for the sound of the session.
    public let sound: SoundRule
    /// True for the primary session.
    public let isPrimary: Bool
  }

  /// The session that surfaces show; nil if no session is eligible.
  public let primary: SessionID?
  /// How much the sound of the whole unit is lowered. The volume does not change.
  public let attenuation: SoundAttenuation
  /// One verdict per session, in the order of the candidates.
  public let verdicts: [Verdict]

  /// The verdict on a session; nil if the session is unknown.
  public subscript(id: SessionID) -> Verdict? { verdicts.first { $0.id == id } }
}

/// Decides what may sound at once: the table in docs/now-playing.md, "What sounds together", has all rules.
///
/// Chooses the primary session, and decides what the sound of each session may do. This is a pure function. It applies
/// these rules in this order:
///
/// 1. A session is eligible if its audio session is active and does not mix, if the session has content, and if at
///    least one of its commands is enabled (E1, E3). A session that has ended its sound stays eligible without an
///    active audio session, so that its last content stays shown (E2).
/// 2. The eligible session with the newest claim becomes primary. A session makes a claim when it starts to play, and
///    when it requests to become primary (E5).
/// 3. If no eligible session has made a claim, the first eligible session in `candidates` becomes primary. So a single
///    eligible session becomes primary without a claim (E6).
///
/// An interruption does not change the primary session: surfaces still show this session, and its sound is held, which
/// means silenced (E4). If the primary session is active, every other session that does not mix is held too. A hold
/// does not change whether people want the session to play (E5).
public func arbitrate(
  _ candidates: [Candidate], interruptions: [Interruption] = [],
  attenuations: some Collection<SoundAttenuation> = [SoundAttenuation]()
) -> Arbitration {
  var primary: Candidate?
  for candidate in candidates where candidate.isEligible {
    if candidate.claim > primary?.claim ?? -1 { primary = candidate }
  }
  let ducker = candidates.first {
    $0.isActive && $0.isSounding && $0.audio.ducksOthers && !$0.isOutputLost
  }
  return Arbitration(
    primary: primary?.id,
    attenuation: attenuations.max() ?? .none,
    verdicts: candidates.map { candidate in
      Arbitration.Verdict(
        id: candidate.id, missing: candidate.missingParts,
        sound: sound(
          of: candidate, primary: primary?.isActive == true ? primary?.id : nil, ducker: ducker?.id,
          interruption: interruptions.last?.reason),
        isPrimary: candidate.id == primary?.id)
    })
}

/// - Parameter primary: the primary session, if it is active.
private func sound(
  of candidate: Candidate, primary: SessionID?, ducker: SessionID?,
  interruption: Interruption.Reason?
) -> SoundRule {
  if !candidate.isActive { return .held(.audioSessionInactive) }
  if candidate.isOutputLost { return .held(.outputLost) }
  // An interruption does not hold a mixable session, because the sound of the interruption can itself come from such a
  // session. Examples are a reversing signal, and a prompt during a call.
  if candidate.audio.isMixable { return .free }
  if let interruption { return .held(.interruption(interruption)) }
  if let primary, primary != candidate.id { return .held(.takenOver(by: primary)) }
  return ducker.map { .ducked(by: $0) } ?? .free
}
