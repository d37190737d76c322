/// Who is Now Playing, and why everybody else is not.
public struct Arbitration: Hashable, Sendable {
  /// What was decided about one session.
  public struct Verdict: Hashable, Sendable {
    /// Which.
    public let id: SessionID
    /// What it lacks to be Now Playing; nothing, where it could be (E1).
    public let missing: [MissingPart]
    /// What its sound may do.
    public let sound: SoundRule
    /// Whether it is the one.
    public let isPrimary: Bool
  }

  /// The one that surfaces show; nil where nobody is eligible.
  public let primary: SessionID?
  /// One per session, in their order.
  public let verdicts: [Verdict]

  /// Of a session.
  public subscript(id: SessionID) -> Verdict? { verdicts.first { $0.id == id } }
}

/// Decides who is Now Playing. A pure function of everything that matters, in this order:
///
/// 1. Only who has an active audio session that does not mix, an enabled command, and content can
///    be (E1, E3).
/// 2. Of those, the one that claimed last: by starting, or by asking (E5).
/// 3. Where nobody claimed, the one that is there first; so one alone always is (E6).
///
/// An interruption takes nobody's place: what was shown stays, and is held (E4). What is not
/// primary and does not mix is held too, and not forgotten (E5).
public func arbitrate(_ candidates: [Candidate], interruptions: [Interruption] = [])
  -> Arbitration
{
  var primary: Candidate?
  for candidate in candidates where candidate.missingParts.isEmpty {
    if candidate.claim > primary?.claim ?? -1 { primary = candidate }
  }
  let ducker = candidates.first {
    $0.isActive && $0.isSounding && $0.audio.ducksOthers && !$0.isOutputLost
  }
  return Arbitration(
    primary: primary?.id,
    verdicts: candidates.map { candidate in
      Arbitration.Verdict(
        id: candidate.id, missing: candidate.missingParts,
        sound: sound(
          of: candidate, primary: primary?.id, ducker: ducker?.id,
          interruption: interruptions.last?.reason),
        isPrimary: candidate.id == primary?.id)
    })
}

private func sound(
  of candidate: Candidate, primary: SessionID?, ducker: SessionID?,
  interruption: Interruption.Reason?
) -> SoundRule {
  if !candidate.isActive { return .held(.audioSessionInactive) }
  if candidate.isOutputLost { return .held(.outputLost) }
  // A reversing signal, a prompt during a call: overlays are what interruptions sound with.
  if candidate.audio.isMixable { return .free }
  if let interruption { return .held(.interruption(interruption)) }
  if let primary, primary != candidate.id { return .held(.takenOver(by: primary)) }
  return ducker.map { .ducked(by: $0) } ?? .free
}
