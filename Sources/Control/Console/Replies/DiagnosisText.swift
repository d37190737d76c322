package import Reports
package import Text

// Formats a diagnosis as text and as JSON.
extension DiagnosisReport {
  /// Maximum number of consequences that are shown below the first fault.
  private static let shownConsequences = 3

  /// Lines for a person: the sentence about the first fault with its consequences, and the number of further faults.
  package func briefLines(_ style: ReplyStyle) -> [String] {
    let sentence = style.sanitized(firstLine)
    if isWell { return [style.paint(sentence, .good)] }
    var rows = style.row("", sentence, indent: 3, width: 0)
    rows[0] = style.mark(.bad) + rows[0].dropFirst(3)
    for consequence in (faults.first.map(consequences) ?? []).prefix(Self.shownConsequences) {
      rows += style.row(
        "", style.sanitized("because of it, \(consequence.subject): \(consequence.found)"),
        indent: 3, width: 0)
    }
    let others = problemCount - 1
    if others > 0 {
      rows.append(
        style.plain("\(others) more \(others == 1 ? "fault" : "faults"): 'diagnose --details'"))
    }
    return rows
  }

  /// Lines for a person with the results of all checks. The last line summarises the results.
  package func lines(_ style: ReplyStyle) -> [String] {
    let arrow = style.plain("→ ")
    let widths = findings.map { TextWidth.columns(of: style.sanitized($0.subject)) }
    let width = min((widths.max() ?? 0) + 2, 16)
    var lines: [String] = []
    for finding in findings {
      var rows = style.row(
        style.sanitized(finding.subject), style.sanitized(finding.found), indent: 3, width: width)
      rows[0] = style.mark(finding.grade) + rows[0].dropFirst(3)
      lines += rows
      // The remedy of a consequence is the remedy of its cause.
      let cause = finding.grade == .bad ? cause(of: finding) : nil
      let remedy =
        cause.map { style.plain("because of: ") + $0.subject } ?? finding.remedy.map { arrow + $0 }
      for more in [finding.meaning, remedy].compactMap({ $0 }) {
        lines += style.row("", style.sanitized(more), indent: 3, width: width)
      }
    }
    for walk in paths {
      // If several symptoms were checked, the questions are shown only for symptoms whose cause was found.
      if paths.count > 1, walk.pattern == nil {
        lines.append("\(style.mark(.good))\(style.sanitized(walk.symptom))? nothing found")
      } else {
        lines += self.lines(walk, arrow, style)
      }
    }
    let (bad, notes) = (problemCount, findings.count { $0.grade == .note })
    let noted = notes == 0 ? "" : " \(notes) \(notes == 1 ? "note" : "notes")."
    lines.append(
      bad == 0
        ? style.paint("No fault found.\(noted)", .good)
        : style.paint("\(bad) \(bad == 1 ? "fault" : "faults") found.\(noted)", .bad))
    return lines
  }

  private func lines(_ walk: Path, _ arrow: String, _ style: ReplyStyle) -> [String] {
    var lines = [style.strong("\(style.sanitized(walk.symptom))?")]
    for step in walk.steps {
      lines += style.row(
        "", style.sanitized("\(step.question)? \(step.isYes ? "yes" : "no")"), indent: 3, width: 0)
    }
    if let pattern = walk.pattern {
      var rows = style.row("", style.sanitized(pattern), indent: 3, width: 0)
      rows[0] = style.mark(.bad) + rows[0].dropFirst(3)
      lines += rows
      if let remedy = walk.remedy {
        lines += style.row("", style.sanitized(arrow + remedy), indent: 3, width: 0)
      }
    } else {
      lines.append("\(style.mark(.good))nothing found")
    }
    return lines
  }

  /// Writes an object with `isWell`, `summary`, `checks` and `walks`.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("isWell", isWell)
    json.member("summary", summary)
    json.key("checks")
    json.beginArray()
    for finding in findings {
      json.beginObject()
      json.member("code", finding.code)
      json.member("subject", finding.subject)
      json.member("grade", finding.grade.rawValue)
      json.member("cause", finding.grade == .bad ? cause(of: finding)?.code : nil)
      json.member("found", finding.found)
      json.member("meaning", finding.meaning)
      json.member("remedy", finding.remedy)
      json.endObject()
    }
    json.endArray()
    json.key("walks")
    json.beginArray()
    for walk in paths {
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
