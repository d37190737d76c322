/// The decision tree (D2). It leads from a symptom to the failure pattern that causes this symptom. The program answers
/// the questions of the tree itself, from an ``Inspection``.
public enum DecisionTree {
  /// A symptom that people notice.
  public enum Symptom: String, Hashable, Sendable, CaseIterable {
    case neverAppears = "never appears"
    case appearsThenDisappears = "appears, then disappears"
    case commandsDead = "commands do nothing"
    case artwork = "artwork is missing or wrong"
    case outOfStep = "state is out of step"
    case customButtons = "custom buttons do not appear"
    case stopsByItself = "the music stopped by itself"
  }

  /// The walk through one branch of the tree.
  public struct Path: Hashable, Sendable, CustomStringConvertible {
    /// The symptom at which the branch begins.
    public let symptom: Symptom
    /// The questions that were asked, with their answers.
    public let steps: [Step]
    /// The pattern that was found; nil if no question was answered with yes.
    public var pattern: FailurePattern? { steps.last.flatMap { $0.isYes ? $0.pattern : nil } }

    /// One line per step.
    public var description: String {
      let end = pattern.map { "→ pattern \($0.rawValue) \($0.name): \($0.remedy)" } ?? "→ nothing"
      return ([symptom.rawValue + "?"] + steps.map { "  \($0)" } + ["  \(end)"])
        .joined(separator: "\n")
    }
  }

  /// A question with its answer.
  public struct Step: Hashable, Sendable, CustomStringConvertible {
    /// The question, without its question mark.
    public let question: String
    /// The answer.
    public let isYes: Bool
    /// The pattern that is found if the answer is yes.
    public let pattern: FailurePattern

    /// Question and answer.
    public var description: String { "\(question)? \(isYes ? "yes" : "no")" }
  }

  /// A question without its answer.
  private struct Question {
    let text: String
    let pattern: FailurePattern
    /// True if the answer yes is a fault. False if it only explains the symptom, for example a song without a cover.
    let isFault: Bool
    /// What is added to the text if the answer is yes.
    let detail: (Inspection) -> String?
    let ask: (Inspection) -> Bool

    init(
      _ text: String, _ pattern: FailurePattern, isFault: Bool = true,
      detail: @escaping (Inspection) -> String? = { _ in nil },
      _ ask: @escaping (Inspection) -> Bool
    ) {
      self.text = text
      self.pattern = pattern
      self.isFault = isFault
      self.detail = detail
      self.ask = ask
    }
  }

  /// Walks each branch whose symptom is possible, and asks only about faults, because no person has noticed a symptom.
  /// A branch without such a question is left out. If ``Inspection/hadScreen`` is false, the branch of the custom
  /// buttons is left out.
  public static func walk(_ inspection: Inspection) -> [Path] {
    Symptom.allCases.compactMap { symptom in
      symptom == .customButtons && !inspection.hadScreen
        ? nil : walk(symptom, inspection, onlyFaults: true)
    }.filter { !$0.steps.isEmpty }
  }

  /// Walks one branch until the first answer is yes. Asks also the questions that explain the symptom without a fault,
  /// because a person has noticed the symptom. Returns nil if the symptom is not possible. *Never appears* is
  /// impossible for a session that is shown now or was shown earlier. *Appears, then disappears* is possible only for a
  /// session that was shown earlier and is not shown now.
  public static func walk(_ symptom: Symptom, _ inspection: Inspection) -> Path? {
    walk(symptom, inspection, onlyFaults: false)
  }

  private static func walk(
    _ symptom: Symptom, _ inspection: Inspection, onlyFaults: Bool
  ) -> Path? {
    let isShown = inspection.focus?.verdict.isPrimary ?? false
    let wasShown = inspection.focus?.wasPrimary ?? false
    switch symptom {
    case .neverAppears where isShown || wasShown: return nil
    case .appearsThenDisappears where isShown || !wasShown: return nil
    default: break
    }
    var steps: [Step] = []
    for question in questions(symptom) where question.isFault || !onlyFaults {
      let isYes = question.ask(inspection)
      steps.append(
        Step(
          question: question.text
            + (isYes ? question.detail(inspection).map { " (\($0))" } ?? "" : ""),
          isYes: isYes, pattern: question.pattern))
      if isYes { break }
    }
    return Path(symptom: symptom, steps: steps)
  }

  private static func questions(_ symptom: Symptom) -> [Question] {
    switch symptom {
    case .neverAppears: neverAppears
    case .appearsThenDisappears: appearsThenDisappears
    case .commandsDead: commandsDead
    case .artwork: artwork
    case .outOfStep: outOfStep
    case .customButtons: customButtons
    case .stopsByItself: stopsByItself
    }
  }

  private static func isMissing(_ part: MissingPart) -> (Inspection) -> Bool {
    { $0.focus?.verdict.missing.contains(part) ?? false }
  }

  /// A session without content has nothing to control yet.
  private static func lacksHandlers(_ inspection: Inspection) -> Bool {
    guard let missing = inspection.focus?.verdict.missing else { return false }
    return missing.contains(.noCommandHandler) && !missing.contains(.noContent)
  }

  private static var neverAppears: [Question] {
    [
      Question(
        "does it only mix with other sound", .mixable, isFault: false,
        isMissing(.audioSessionMixable)),
      Question("does it offer no command", .noHandler, lacksHandlers),
      Question(
        "is none of its commands possible now", .disabled, isFault: false,
        isMissing(.noCommandEnabled)),
      Question("is its output lost", .outputLost) { $0.focus?.isOutputLost ?? false },
      Question(
        "is it not active", .notActivated, isFault: false,
        isMissing(.audioSessionInactive)),
      Question("has it nothing to play", .noContent, isFault: false) {
        $0.focus.map { $0.verdict.missing.contains(.noContent) } ?? true
      },
      Question("is another source Now Playing", .anotherSession, isFault: false) {
        $0.state.session != nil && $0.focus?.verdict.isPrimary == false
      },
    ]
  }

  private static var appearsThenDisappears: [Question] {
    [
      Question("has it ended by itself", .deactivatedEarly, isFault: false) {
        $0.focus?.hasEnded ?? false
      },
      Question("is its output lost", .outputLost) { $0.focus?.isOutputLost ?? false },
      Question("does it offer no command any more", .noHandler, lacksHandlers),
      Question(
        "is none of its commands possible any more", .disabled, isFault: false,
        isMissing(.noCommandEnabled)),
      Question(
        "has it nothing to play any more", .noContent, isFault: false, isMissing(.noContent)),
      Question("is another source Now Playing", .anotherSession, isFault: false) {
        $0.state.session != nil && $0.focus?.verdict.isPrimary == false
      },
    ]
  }

  /// True if a command was refused with a matching refusal.
  private static func refused(_ matches: @escaping (CommandRefusal) -> Bool) -> (Inspection) -> Bool
  {
    { inspection in
      inspection.trace.records.contains { record in
        if case .refused(let refusal) = record.verdict { matches(refusal) } else { false }
      }
    }
  }

  private static var commandsDead: [Question] {
    [
      Question(
        "was a command not possible", .disabled, isFault: false,
        refused { if case .disabled = $0 { true } else { false } }),
      Question(
        "had a skip no length", .noInterval,
        refused { if case .noPreferredInterval = $0 { true } else { false } }),
      Question(
        "did the source not have a command", .noHandler, isFault: false,
        refused { if case .notOffered = $0 { true } else { false } }),
      Question("did a source not answer", .noAnswer) { inspection in
        inspection.trace.records.contains {
          $0.answer.map(CommandAnswer.unanswered.contains) == true
        }
      },
      Question(
        "did a surface send a command without a connection", .noChannel,
        refused { $0 == .notConnected }),
      Question("did the connection of a surface fail its test", .noChannel) { inspection in
        inspection.surfaces.contains {
          $0.channel.toSurface == .failed || $0.channel.fromSurface == .failed
        }
      },
    ]
  }

  private static var artwork: [Question] {
    [
      Question("does the track lack a cover", .noPicture, isFault: false) {
        $0.state.content != nil && $0.focus?.hasArtwork == false
      },
      Question("did the search for a picture find nothing", .noPicture, isFault: false) {
        $0.artwork.none > 0
      },
      Question("was a picture not usable", .unusablePicture, isFault: false) {
        $0.artwork.unusable > 0
      },
      Question("did a cover come after its track", .latePicture, isFault: false) {
        $0.artwork.late > 0
      },
      Question("did the cover change within a track", .severalPictures, isFault: false) {
        $0.artwork.changesWithinContent > 0
      },
    ]
  }

  private static func differs(_ fields: [String]) -> (Inspection) -> Bool {
    { inspection in
      inspection.surfaces.contains { surface in
        surface.check.verdict.differences.contains { fields.contains($0.field) }
      }
    }
  }

  private static var outOfStep: [Question] {
    [
      Question("does a silenced source say that it plays", .wrongStatus) { inspection in
        inspection.focus.map {
          $0.verdict.sound.hold != nil && $0.reported?.status.isAdvancing == true
        } ?? false
      },
      Question("does a surface show another status", .wrongStatus, differs(["status"])),
      Question(
        "does a surface show another text", .anotherWriter,
        differs(["title", "subtitle", "detail"])),
      Question("does a surface show another elapsed time", .wrongElapsed, differs(["elapsed"])),
      Question("does the source not say its elapsed time", .wrongElapsed) { inspection in
        inspection.focus.map {
          $0.reported != nil && $0.reported?.elapsedTime == nil && $0.duration?.length != nil
        } ?? false
      },
      Question("does a surface show another duration", .noDuration, differs(["duration"])),
      Question("is the duration unknown", .noDuration, isFault: false) {
        // A source that has not played yet possibly reports no duration. So the unknown duration of a stopped source is
        // not a fault.
        $0.state.content != nil && $0.state.duration == nil && $0.state.status != .stopped
      },
    ]
  }

  private static var customButtons: [Question] {
    [
      Question("is no screen connected", .noScreen) { inspection in
        !inspection.surfaces.contains(where: \.showsTemplate)
      },
      Question("were the buttons set after the screen connected", .lateConfiguration) {
        ($0.focus?.lateConfigurations ?? 0) > 0
      },
      Question("are there more than five buttons", .surplusButtons, isFault: false) {
        ($0.focus?.surplusButtons ?? 0) > 0
      },
      Question("does the source not have the command of a button", .noHandler, isFault: false) {
        inspection in
        inspection.state.template.buttons.contains { button in
          button.kind.command.map { inspection.state.command($0) == nil && !button.isEnabled }
            ?? false
        }
      },
    ]
  }

  /// The last change that can have ended the music.
  private static func lastEnd(_ inspection: Inspection) -> SoundChange? {
    inspection.soundChanges.last { change in
      switch change.event {
      case .primary(_, from: let old, _): old != nil
      case .interruptionEnded(_, let shouldResume): !shouldResume
      case .paused, .stopped: true
      case .interruptionBegan, .outputLost, .outputRegained: false
      }
    }
  }

  /// A question about the last change that can have ended the music.
  private static func ended(
    _ text: String, _ pattern: FailurePattern,
    _ matches: @escaping (SoundChange.Event) -> Bool
  ) -> Question {
    Question(
      text, pattern, isFault: false,
      detail: { inspection in
        lastEnd(inspection).map { change in
          let seconds = inspection.at.wholeTime(since: change.at).components.seconds
          return "\(change.event), \(seconds) s ago"
        }
      },
      { lastEnd($0).map { matches($0.event) } ?? false })
  }

  private static var stopsByItself: [Question] {
    [
      Question(
        "does an interruption hold the music", .interrupted, isFault: false,
        detail: { $0.state.interruptions.map(\.description).joined(separator: ", ") }
      ) { !$0.state.interruptions.isEmpty },
      Question("is its output lost", .outputLost, isFault: false) {
        $0.focus?.isOutputLost ?? false
      },
      Question("does it wait for data", .waitsForData, isFault: false) {
        $0.state.status == .buffering
      },
      Question("is the sound muted", .muted, isFault: false) {
        $0.state.volume.isMuted || $0.state.volume.level == .silent
      },
      ended("did another source take over", .takenOver) { event in
        if case .primary = event { true } else { false }
      },
      ended("did a person pause it", .pausedByPerson) { event in
        if case .paused = event { true } else { false }
      },
      ended("did an interruption end without resuming", .interrupted) { event in
        if case .interruptionEnded = event { true } else { false }
      },
      ended("did the source stop by itself", .stoppedItself) { event in
        if case .stopped = event { true } else { false }
      },
    ]
  }
}
