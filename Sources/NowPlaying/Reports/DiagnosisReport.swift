package import NowPlaying

/// What `diagnose` found: checks, the way through the decision tree, and what surfaces show.
package struct DiagnosisReport: Hashable, Sendable {
  /// One check.
  package struct Finding: Hashable, Sendable {
    package var subject: String
    package var grade: Grade
    package var found: String
    /// nil where what was found says it.
    package var meaning: String?
    /// What to do; nil where there is nothing to.
    package var remedy: String?

    /// See the fields.
    package init(
      _ subject: String, _ grade: Grade, _ found: String, meaning: String? = nil,
      remedy: String? = nil
    ) {
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

      /// See the fields.
      package init(_ question: String, _ isYes: Bool) {
        self.question = question
        self.isYes = isYes
      }
    }

    package var symptom: String
    package var steps: [Step]
    /// Where it ended, as `2e no preferred interval`; nil where nothing was found.
    package var pattern: String?
    package var remedy: String?

    /// See the fields.
    package init(symptom: String, steps: [Step], pattern: String? = nil, remedy: String? = nil) {
      self.symptom = symptom
      self.steps = steps
      self.pattern = pattern
      self.remedy = remedy
    }
  }

  package var findings: [Finding]
  package var paths: [Path]

  /// See the fields.
  package init(findings: [Finding], paths: [Path]) {
    self.findings = findings
    self.paths = paths
  }

  /// From what NowPlaying found, with what else was checked behind it.
  package init(checks: [Check], paths: [DecisionTree.Path], others: [Finding] = []) {
    findings =
      checks.map { check in
        let grade: Grade =
          switch check.grade {
          case .good: .good
          case .note: .note
          case .bad: .bad
          }
        return Finding(check.subject, grade, check.finding, remedy: check.remedy)
      } + others
    self.paths = paths.map { walk in
      Path(
        symptom: walk.symptom.rawValue, steps: walk.steps.map { .init($0.question, $0.isYes) },
        pattern: walk.pattern.map { "\($0.rawValue) \($0.name)" }, remedy: walk.pattern?.remedy)
    }
  }

  /// All is well: nothing was found that is wrong.
  package var isWell: Bool { troubles == 0 }

  /// How many things are wrong.
  package var troubles: Int {
    findings.count { $0.grade == .bad } + paths.count { $0.pattern != nil }
  }
}
