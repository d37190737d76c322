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
    let ask: (Inspection) -> Bool

    init(_ text: String, _ pattern: FailurePattern, _ ask: @escaping (Inspection) -> Bool) {
      self.text = text
      self.pattern = pattern
      self.ask = ask
    }
  }

  /// Walks each branch whose symptom is possible. If ``Inspection/hadScreen`` is false, the branch of the custom
  /// buttons is left out.
  public static func walk(_ inspection: Inspection) -> [Path] {
    Symptom.allCases.compactMap { symptom in
      symptom == .customButtons && !inspection.hadScreen ? nil : walk(symptom, inspection)
    }
  }

  /// Walks one branch until the first answer is yes. Returns nil if the symptom is not possible. *Never appears* is
  /// impossible for a session that is shown now or was shown earlier. *Appears, then disappears* is possible only for a
  /// session that was shown earlier and is not shown now.
  public static func walk(_ symptom: Symptom, _ inspection: Inspection) -> Path? {
    let isShown = inspection.focus?.verdict.isPrimary ?? false
    let wasShown = inspection.focus?.wasPrimary ?? false
    switch symptom {
    case .neverAppears where isShown || wasShown: return nil
    case .appearsThenDisappears where isShown || !wasShown: return nil
    default: break
    }
    var steps: [Step] = []
    for question in questions(symptom) {
      let isYes = question.ask(inspection)
      steps.append(Step(question: question.text, isYes: isYes, pattern: question.pattern))
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
    }
  }

  private static func isMissing(_ part: MissingPart) -> (Inspection) -> Bool {
    { $0.focus?.verdict.missing.contains(part) ?? false }
  }

  private static var neverAppears: [Question] {
    [
      Question("does its audio session mix with others", .mixable, isMissing(.audioSessionMixable)),
      Question("are its command handlers missing", .noHandler, isMissing(.noCommandHandler)),
      Question("are all its commands disabled", .disabled, isMissing(.noCommandEnabled)),
      Question("is its output lost", .outputLost) { $0.focus?.isOutputLost ?? false },
      Question("is its audio session inactive", .notActivated, isMissing(.audioSessionInactive)),
      Question("is its content missing", .noContent) {
        $0.focus.map { $0.verdict.missing.contains(.noContent) } ?? true
      },
      Question("is another session Now Playing", .anotherSession) {
        $0.state.session != nil && $0.focus?.verdict.isPrimary == false
      },
    ]
  }

  private static var appearsThenDisappears: [Question] {
    [
      Question("was its audio session deactivated", .deactivatedEarly) {
        $0.focus?.wasDeactivatedAsPrimary ?? false
      },
      Question("is its output lost", .outputLost) { $0.focus?.isOutputLost ?? false },
      Question("were its commands removed", .noHandler, isMissing(.noCommandHandler)),
      Question("were all its commands disabled", .disabled, isMissing(.noCommandEnabled)),
      Question("was its content removed", .noContent, isMissing(.noContent)),
      Question("is another session Now Playing", .anotherSession) {
        $0.state.session != nil && $0.focus?.verdict.isPrimary == false
      },
    ]
  }

  /// True if a command was refused with a matching refusal, and the refusal is a fault. The refusal of a key or of a
  /// button on a screen is always a fault, because the key or button offers the command. A person who types a command
  /// reads the refusal. So the refusal of a typed command is a fault only if a command of the same surface gets the
  /// same refusal again.
  private static func refused(_ matches: @escaping (CommandRefusal) -> Bool) -> (Inspection) -> Bool
  {
    { inspection in
      let screens = Set(inspection.surfaces.filter(\.showsTemplate).map(\.id))
      var typed: [SurfaceID: Set<CommandRefusal>] = [:]
      return inspection.trace.records.contains { record in
        guard case .refused(let refusal) = record.verdict, matches(refusal) else { return false }
        if record.inputPath.canBounce || screens.contains(record.surface) { return true }
        return !typed[record.surface, default: []].insert(refusal).inserted
      }
    }
  }

  /// True if a command was refused with this refusal, on any input path. Used for commands of surfaces that are not
  /// connected.
  private static func refusedAtOnce(_ refusal: CommandRefusal) -> (Inspection) -> Bool {
    { $0.trace.records.contains { $0.verdict == .refused(refusal) } }
  }

  private static var commandsDead: [Question] {
    [
      Question(
        "was a command disabled", .disabled,
        refused { if case .disabled = $0 { true } else { false } }),
      Question(
        "is the interval of a skip missing", .noInterval,
        refused { if case .noPreferredInterval = $0 { true } else { false } }),
      Question(
        "was a command not offered", .noHandler,
        refused { if case .notOffered = $0 { true } else { false } }),
      Question("did a source send no answer", .noAnswer) { inspection in
        inspection.trace.records.contains {
          $0.answer.map(CommandAnswer.unanswered.contains) == true
        }
      },
      Question(
        "did a disconnected surface send a command", .noChannel, refusedAtOnce(.notConnected)),
      Question("did a channel fail the loop-back test", .noChannel) { inspection in
        inspection.surfaces.contains {
          $0.channel.toSurface == .failed || $0.channel.fromSurface == .failed
        }
      },
    ]
  }

  private static var artwork: [Question] {
    [
      Question("is the artwork of the content missing", .noPicture) {
        $0.state.content != nil && $0.focus?.hasArtwork == false
      },
      Question("did a provider return no picture", .noPicture) { $0.artwork.none > 0 },
      Question("was a picture unusable", .unusablePicture) { $0.artwork.unusable > 0 },
      Question("did a picture arrive after its track", .latePicture) {
        $0.artwork.late > 0
      },
      Question("did the artwork change within a track", .severalPictures) {
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
      Question("does a held source report that it plays", .wrongStatus) { inspection in
        inspection.focus.map {
          $0.verdict.sound.hold != nil && $0.reported?.status.isAdvancing == true
        } ?? false
      },
      Question("does a surface show another status", .wrongStatus, differs(["status"])),
      Question(
        "does a surface show another text", .anotherWriter,
        differs(["title", "subtitle", "detail"])),
      Question("does a surface show another elapsed time", .wrongElapsed, differs(["elapsed"])),
      Question("is the elapsed time of the source missing", .wrongElapsed) { inspection in
        inspection.focus.map {
          $0.reported != nil && $0.reported?.elapsedTime == nil && $0.duration?.length != nil
        } ?? false
      },
      Question("does a surface show another duration", .noDuration, differs(["duration"])),
      Question("is the duration unknown", .noDuration) {
        // A source that has not played yet does not always know the duration. So the unknown duration of a stopped
        // source is not a fault.
        $0.state.content != nil && $0.state.duration == nil && $0.state.status != .stopped
      },
    ]
  }

  private static var customButtons: [Question] {
    [
      Question("is no screen connected", .noScreen) { inspection in
        !inspection.surfaces.contains(where: \.showsTemplate)
      },
      Question("was the template configured after the screen connected", .lateConfiguration) {
        ($0.focus?.lateConfigurations ?? 0) > 0
      },
      Question("are there more than five buttons", .surplusButtons) {
        ($0.focus?.surplusButtons ?? 0) > 0
      },
      Question("is the command of a button missing", .noHandler) { inspection in
        inspection.state.template.buttons.contains { button in
          button.kind.command.map { inspection.state.command($0) == nil && !button.isEnabled }
            ?? false
        }
      },
    ]
  }
}
