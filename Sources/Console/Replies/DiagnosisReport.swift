package import JSON
package import NowPlaying
internal import Terminal

/// What `diagnose` found: checks, the way through the decision tree, and what surfaces show.
package struct DiagnosisReport: Hashable, Sendable {
  /// One check.
  package struct Finding: Hashable, Sendable {
    package var subject: String
    package var grade: ReplyStyle.Grade
    package var found: String
    /// nil where what was found says it.
    package var meaning: String?
    /// What to do; nil where there is nothing to.
    package var remedy: String?

    /// See the fields.
    package init(
      _ subject: String, _ grade: ReplyStyle.Grade, _ found: String, meaning: String? = nil,
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
  package struct Walk: Hashable, Sendable {
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
  package var walks: [Walk]

  /// See the fields.
  package init(findings: [Finding], walks: [Walk]) {
    self.findings = findings
    self.walks = walks
  }

  /// From what NowPlaying found, with what else was checked behind it.
  package init(checks: [Check], walks: [DecisionTree.Walk], others: [Finding] = []) {
    findings =
      checks.map { check in
        let grade: ReplyStyle.Grade =
          switch check.grade {
          case .good: .good
          case .note: .note
          case .bad: .bad
          }
        return Finding(check.subject, grade, check.finding, remedy: check.remedy)
      } + others
    self.walks = walks.map { walk in
      Walk(
        symptom: walk.symptom.rawValue, steps: walk.steps.map { .init($0.question, $0.isYes) },
        pattern: walk.pattern.map { "\($0.rawValue) \($0.name)" }, remedy: walk.pattern?.remedy)
    }
  }

  /// All is well: nothing was found that is wrong.
  package var isWell: Bool { troubles == 0 }

  private var troubles: Int {
    findings.count { $0.grade == .bad } + walks.count { $0.pattern != nil }
  }

  /// Lines of text, and a last one that sums up.
  package func lines(_ style: ReplyStyle) -> [String] {
    let arrow = style.plain("→ ")
    let widths = findings.map { TextWidth.columns(of: style.harmless($0.subject)) }
    let width = min((widths.max() ?? 0) + 2, 16)
    var lines: [String] = []
    for finding in findings {
      var rows = style.row(
        style.harmless(finding.subject), style.harmless(finding.found), indent: 3, width: width)
      rows[0] = style.mark(finding.grade) + rows[0].dropFirst(3)
      lines += rows
      for more in [finding.meaning, finding.remedy.map { arrow + $0 }].compactMap({ $0 }) {
        lines += style.row("", style.harmless(more), indent: 3, width: width)
      }
    }
    for walk in walks { lines += self.lines(walk, arrow, style) }
    let (bad, notes) = (troubles, findings.count { $0.grade == .note })
    let noted = notes == 0 ? "" : " \(notes) worth knowing."
    lines.append(
      bad == 0
        ? style.paint("All is well.\(noted)", .good)
        : style.paint("\(bad) \(bad == 1 ? "thing is" : "things are") wrong.\(noted)", .bad))
    return lines
  }

  private func lines(_ walk: Walk, _ arrow: String, _ style: ReplyStyle) -> [String] {
    var lines = [style.strong("\(style.harmless(walk.symptom))?")]
    for step in walk.steps {
      lines += style.row(
        "", style.harmless("\(step.question)? \(step.isYes ? "yes" : "no")"), indent: 3, width: 0)
    }
    if let pattern = walk.pattern {
      var rows = style.row("", style.harmless(pattern), indent: 3, width: 0)
      rows[0] = style.mark(.bad) + rows[0].dropFirst(3)
      lines += rows
      if let remedy = walk.remedy {
        lines += style.row("", style.harmless(arrow + remedy), indent: 3, width: 0)
      }
    } else {
      lines.append("\(style.mark(.good))nothing found")
    }
    return lines
  }

  /// An object: `isWell`, `checks`, `walks`.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("isWell", isWell)
    json.key("checks")
    json.beginArray()
    for finding in findings {
      json.beginObject()
      json.member("subject", finding.subject)
      json.member("grade", finding.grade.rawValue)
      json.member("found", finding.found)
      json.member("meaning", finding.meaning)
      json.member("remedy", finding.remedy)
      json.endObject()
    }
    json.endArray()
    json.key("walks")
    json.beginArray()
    for walk in walks {
      json.beginObject()
      json.member("symptom", walk.symptom)
      json.key("questions")
      json.beginArray()
      for step in walk.steps {
        json.beginObject()
        json.member("question", step.question)
        json.member("answer", step.isYes)
        json.endObject()
      }
      json.endArray()
      json.member("pattern", walk.pattern)
      json.member("remedy", walk.remedy)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
