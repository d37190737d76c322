/// The checks that run before the decision tree (D1): audio session, output, commands, content, screen, surfaces, in
/// this order.
public enum Checks {
  /// Runs all checks on an inspection.
  public static func run(_ inspection: Inspection) -> [Check] {
    var checks = [nowPlaying(inspection)]
    for session in inspection.sessions { checks += of(session, in: inspection) }
    // Surfaces that only send commands, such as keys, have no channel to test and no display to read.
    let surfaces = inspection.surfaces.filter { !$0.isInputOnly }
    checks += surfaces.flatMap { of($0, at: inspection.at) }
    if inspection.hadScreen, !surfaces.contains(where: \.showsTemplate) {
      checks.append(
        Check(
          "surfaces.screen-lost", "surfaces", .bad, "the screen is not connected any more",
          remedy: "'service restart screen'"))
    } else if surfaces.isEmpty {
      // A unit without a screen works too, for example with a console that is not a surface. So this is only a note.
      checks.append(
        Check(
          "surfaces.none", "surfaces", .note, "no screen and no phone is connected",
          remedy: "none is needed to play"))
    }
    if inspection.endlessReactionCount > 0 {
      checks.append(
        Check(
          "center.unsettled", "center", .bad,
          "\(inspection.endlessReactionCount) changes caused an endless series of changes",
          remedy: "keep a 'report', then 'service restart daemon'"))
    }
    return checks
  }

  private static func nowPlaying(_ inspection: Inspection) -> Check {
    if let session = inspection.state.session {
      let held = inspection.focus?.verdict.sound.hold.map { ", held: \($0)" } ?? ""
      return Check(
        "now-playing.session", "now playing", .good,
        "\(session) is \(inspection.state.status.rawValue)\(held)")
    }
    return inspection.sessions.isEmpty
      ? Check(
        "now-playing.no-session", "now playing", .bad, "there is no source",
        remedy: "'service restart daemon'")
      : notEligible(inspection)
  }

  /// A unit that has nothing to play yet is healthy.
  private static func notEligible(_ inspection: Inspection) -> Check {
    let isEmpty = inspection.sessions.allSatisfy { session in
      session.verdict.missing.contains { $0 == .noContent || $0 == .audioSessionMixable }
    }
    return isEmpty
      ? Check("now-playing.nothing", "now playing", .note, "nothing to play yet")
      : Check(
        "now-playing.not-eligible", "now playing", .bad, "no source can be shown",
        remedy: "see what each source lacks, below")
  }

  private static func of(_ session: Inspection.Session, in inspection: Inspection) -> [Check] {
    let name = session.id.rawValue
    // A session without content has nothing to play yet. A session that has ended is not active.
    let isIdle = { (part: MissingPart) in
      part == .noContent || part == .audioSessionInactive && session.startsWhileInactive == 0
        || part == .noCommandHandler && session.verdict.missing.contains(.noContent)
    }
    var checks = session.verdict.missing.map { part in
      Check(
        "session.\(part.code)", name,
        session.audio.isMixable || isIdle(part) ? .note : .bad, part.finding,
        remedy: part.remedy)
    }
    if session.verdict.missing.isEmpty {
      checks.append(
        Check(
          "session.eligible", name, .good,
          "ready to be shown"))
    }
    if session.startsWhileInactive > 0 {
      checks.append(
        Check(
          "session.started-inactive", name, .bad,
          "started \(session.startsWhileInactive)× while it was not active",
          remedy: "choose the source again; if it happens again, keep a 'report'"))
    }
    if session.isOutputLost {
      checks.append(
        Check(
          "session.output-lost", name, .bad, "the output is lost",
          remedy: FailurePattern.outputLost.remedy))
    }
    if session.verdict.sound.hold != nil, session.reported?.status.isAdvancing == true {
      checks.append(
        Check(
          "session.ignores-pause", name, .bad, "plays despite the instruction to pause",
          remedy: "a phone: connect it again; otherwise restart the program of the source"))
    }
    checks += commands(of: session)
    checks += content(of: session)
    if session.surplusButtons > 0 {
      checks.append(
        Check(
          "template.surplus-buttons", name, .note,
          "\(session.surplusButtons) buttons after the fifth were dropped",
          remedy: "configure at most \(NowPlayingTemplate.maximumButtons)"))
    }
    if session.lateConfigurations > 0 {
      checks.append(
        Check(
          "template.late", name, .note,
          "configured the screen \(session.lateConfigurations)× after it connected",
          remedy: FailurePattern.lateConfiguration.remedy))
    }
    return checks
  }

  private static func commands(of session: Inspection.Session) -> [Check] {
    let name = session.id.rawValue
    var checks: [Check] = []
    let disabled = session.commands.filter {
      !$0.isEnabled && !session.impossible.contains($0.kind)
    }
    .map(\.kind.rawValue)
    if !disabled.isEmpty {
      checks.append(
        Check(
          "commands.disabled", name, .note, "disabled now: \(disabled.joined(separator: ", "))",
          remedy: FailurePattern.disabled.remedy))
    }
    for offer in session.commands where offer.parameters == .intervals([]) {
      checks.append(
        Check(
          "commands.no-interval", name, .bad, "\(offer.kind.rawValue) has no preferred interval",
          remedy: FailurePattern.noInterval.remedy))
    }
    return checks
  }

  private static func content(of session: Inspection.Session) -> [Check] {
    guard !session.verdict.missing.contains(.noContent), !session.audio.isMixable else { return [] }
    let name = session.id.rawValue
    var checks: [Check] = []
    if session.title == nil {
      checks.append(
        Check(
          "content.no-title", name, .bad, "no title in the language of the unit",
          remedy: "set the key 'language' to a language of the title"))
    }
    if session.duration == nil {
      checks.append(
        Check(
          "content.no-duration", name, .note, "the duration is unknown",
          remedy: FailurePattern.noDuration.remedy))
    }
    if !session.hasArtwork {
      checks.append(
        Check("content.no-artwork", name, .note, "no artwork; the placeholder is shown"))
    }
    switch session.reported {
    case nil:
      checks.append(
        Check(
          "playback.none", name, .bad, "the source does not say what it does",
          remedy: FailurePattern.noAnswer.remedy))
    case let snapshot? where snapshot.elapsedTime == nil && session.duration?.length != nil:
      checks.append(
        Check(
          "playback.no-elapsed-time", name, .bad, "no elapsed time",
          remedy: FailurePattern.wrongElapsed.remedy))
    default: break
    }
    return checks
  }

  private static func of(_ surface: Inspection.Surface, at now: MonotonicInstant) -> [Check] {
    let name = surface.id.rawValue
    let grade: Check.Grade =
      switch (surface.channel.toSurface, surface.channel.fromSurface) {
      case (.failed, _), (_, .failed): .bad
      case (.passed, .passed): .good
      default: .note
      }
    var checks = [
      Check(
        "surface.channel", name, grade, "channel: \(surface.channel)",
        remedy: grade == .bad ? "connect the surface again" : nil)
    ]
    if surface.showsTemplate, surface.check.isOverdue(at: now) {
      checks.append(
        Check(
          "surface.stands-still", name, .bad, "has not shown the last state",
          remedy:
            "'service restart screen' starts it again; keep a 'report' first if it happens often"))
    }
    let differences = surface.check.verdict.differences
    if !differences.isEmpty {
      let isRepairable = if case .selfPublished = surface.check.verdict { false } else { true }
      checks.append(
        Check(
          isRepairable ? "surface.differs" : "surface.source-differs", name,
          isRepairable ? .bad : .note,
          differences.map(\.description).joined(separator: "; "),
          remedy: isRepairable
            ? "the state was sent again \(surface.check.repairs)×; find the other program that writes to the surface"
            : "the source publishes this value itself"))
    }
    return checks
  }
}
