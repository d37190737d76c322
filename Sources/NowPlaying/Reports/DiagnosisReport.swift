package import NowPlaying

/// The result of `diagnose`: checks, and the walk through the decision tree.
package struct DiagnosisReport: Hashable, Sendable {
  /// One check.
  package struct Finding: Hashable, Sendable {
    /// The finding as an identifier for programs. The identifier stays the same when the words of the finding change.
    package var code: String
    package var subject: String
    package var grade: Grade
    package var found: String
    /// The meaning of the finding; nil if `found` is enough.
    package var meaning: String?
    /// The remedy; nil if nothing needs to be done.
    package var remedy: String?

    /// The remedy if the software of the image is damaged.
    package static let rebootOrWriteImage =
      "'reboot'; if it happens again, write the image to the medium again, on a computer"

    package init(
      _ code: String, _ subject: String, _ grade: Grade, _ found: String,
      meaning: String? = nil, remedy: String? = nil
    ) {
      self.code = code
      self.subject = subject
      self.grade = grade
      self.found = found
      self.meaning = meaning
      self.remedy = remedy
    }
  }

  /// One branch of the decision tree.
  package struct Path: Hashable, Sendable {
    /// A question and its answer.
    package struct Step: Hashable, Sendable {
      package var question: String
      package var isYes: Bool

      package init(_ question: String, _ isYes: Bool) {
        self.question = question
        self.isYes = isYes
      }
    }

    package var symptom: String
    package var steps: [Step]
    /// The number and name of the pattern that was found, such as `2e no preferred interval`; nil if no pattern was
    /// found.
    package var pattern: String?
    package var remedy: String?

    package init(symptom: String, steps: [Step], pattern: String? = nil, remedy: String? = nil) {
      self.symptom = symptom
      self.steps = steps
      self.pattern = pattern
      self.remedy = remedy
    }
  }

  package var findings: [Finding]
  package var paths: [Path]

  package init(findings: [Finding], paths: [Path]) {
    self.findings = findings
    self.paths = paths
  }

  /// Creates the report from the results of the module `NowPlaying`, followed by other findings.
  package init(checks: [Check], paths: [DecisionTree.Path], others: [Finding] = []) {
    findings =
      checks.map { check in
        let grade: Grade =
          switch check.grade {
          case .good: .good
          case .note: .note
          case .bad: .bad
          }
        return Finding(check.code, check.subject, grade, check.finding, remedy: check.remedy)
      } + others
    self.paths = paths.map { walk in
      Path(
        symptom: walk.symptom.rawValue, steps: walk.steps.map { .init($0.question, $0.isYes) },
        pattern: walk.pattern.map { "\($0.rawValue) \($0.name)" }, remedy: walk.pattern?.remedy)
    }
  }

  /// True if no problem was found.
  package var isWell: Bool { problemCount == 0 }

  /// Number of problems, without those that another problem explains.
  package var problemCount: Int { faults.count + unexplainedPaths.count }

  // MARK: The summary

  /// The note that a person can take for a fault: the unit is healthy, but it does not work as expected.
  package var foremostRemark: Finding? {
    Self.remarks.lazy.compactMap { code in findings.first { $0.code == code } }.first
  }

  /// The codes of these notes. What is true now comes first, then what has happened, and then what a driver has chosen.
  private static let remarks = [
    "sound.interrupted", "sound.lowered", "volume.low", "output.discards", "music.none",
    "screen.dark", "screen.disconnected", "screen.absent", "output.other-rate", "memory.load",
    "music.damaged", "data.aside", "data.repaired", "memory.killed", "keys.lost",
    "sound.repeats-one",
  ]

  /// One sentence: the fault that a person should repair first, and its remedy.
  package var summary: String {
    if let fault = faults.first { return Self.sentence(fault.subject, fault.found, fault.remedy) }
    if let walk = unexplainedPaths.first, let pattern = walk.pattern {
      return Self.sentence(walk.symptom, pattern, walk.remedy)
    }
    if let remark = foremostRemark {
      return "All is well. \(Self.sentence(remark.subject, remark.found, remark.remedy))"
    }
    return "All is well."
  }

  /// The first line for a person. If there is nothing to say, it names the help, because a driver can complain about a
  /// healthy unit, and ``Complaint`` shows what is known about the part.
  package var firstLine: String {
    isWell && foremostRemark == nil
      ? "\(summary) Is there a complaint? 'help diagnose' shows what to ask." : summary
  }

  private static func sentence(_ subject: String, _ found: String, _ remedy: String?) -> String {
    let fault = "\(subject): \(found)"
    return remedy.map { "\(fault) → \($0)" } ?? fault
  }
}

extension DiagnosisReport.Finding {
  /// True if the finding reports what has happened, and what no longer lasts.
  var isOver: Bool {
    ["kernel.crashed", "ends.", "supply.was-", "temperature.was-"].contains { code.hasPrefix($0) }
  }

  /// True if the finding can explain a symptom of Now Playing.
  package func isAbout(_ symptom: DecisionTree.Symptom) -> Bool {
    let topics: [String] =
      switch symptom {
      case .neverAppears, .appearsThenDisappears:
        ["folders.", "music.", "medium.", "library.", "output.", "bluetooth.", "phone."]
      case .commandsDead: ["output.", "bluetooth.", "phone."]
      case .artwork: ["artwork."]
      case .outOfStep: ["sound.", "volume.", "amplifier."]
      case .customButtons: ["config.", "screen.", "surfaces."]
      case .stopsByItself:
        [
          "medium.", "output.", "sound.", "volume.", "amplifier.", "supply.", "temperature.",
          "starts.",
          "phone.",
        ]
      }
    return topics.contains { code.hasPrefix($0) }
  }
}

extension DiagnosisReport.Finding {
  /// True if the finding is one of the checks of the module `NowPlaying`.
  package var isAboutNowPlaying: Bool {
    Self.topicsOfNowPlaying.contains { code.hasPrefix($0) }
  }

  private static let topicsOfNowPlaying = [
    "center.", "commands.", "content.", "now-playing.", "playback.", "session.", "surface.",
    "surfaces.", "template.",
  ]
}
