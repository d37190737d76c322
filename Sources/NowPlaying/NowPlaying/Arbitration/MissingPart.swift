/// A part that a session lacks. The session cannot be Now Playing without this part (E1). Unlike iOS, the center
/// reports which part is missing.
public enum MissingPart: String, Hashable, Sendable, CaseIterable {
  case audioSessionInactive, audioSessionMixable, noCommandHandler, noCommandEnabled, noContent

  /// The last part of the code of a finding (`Check.code`).
  var code: String {
    switch self {
    case .audioSessionInactive: "inactive"
    case .audioSessionMixable: "mixable"
    case .noCommandHandler: "no-handler"
    case .noCommandEnabled: "no-command"
    case .noContent: "no-content"
    }
  }

  /// The missing part, in words.
  public var finding: String {
    switch self {
    case .audioSessionInactive: "it is not active"
    case .audioSessionMixable: "it only mixes with other sound"
    case .noCommandHandler: "it offers no command"
    case .noCommandEnabled: "none of its commands is possible now"
    case .noContent: "it has nothing to play"
    }
  }

  /// What the owner of the unit can do.
  public var remedy: String {
    switch self {
    case .audioSessionInactive: FailurePattern.notActivated.remedy
    case .audioSessionMixable: FailurePattern.mixable.remedy
    case .noCommandHandler: "a phone: connect it again; otherwise restart the program of the source"
    case .noCommandEnabled: FailurePattern.disabled.remedy
    case .noContent: FailurePattern.noContent.remedy
    }
  }
}

extension Candidate {
  /// All missing parts. The session is eligible if the result is empty (E1).
  public var missingParts: [MissingPart] {
    var missing: [MissingPart] = []
    if !isActive { missing.append(.audioSessionInactive) }
    if audio.isMixable { missing.append(.audioSessionMixable) }
    if commands.isEmpty {
      missing.append(.noCommandHandler)
    } else if !commands.contains(where: \.isEnabled) {
      missing.append(.noCommandEnabled)
    }
    if !hasContent { missing.append(.noContent) }
    return missing
  }

  /// True if the session can be Now Playing (E1, E2).
  var isEligible: Bool {
    let missing = missingParts
    return missing.isEmpty || hasEnded && missing == [.audioSessionInactive]
  }
}
