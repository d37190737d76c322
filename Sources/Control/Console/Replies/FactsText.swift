package import Reports
package import Text

// Formats facts as text and as JSON.
extension FactsReport {
  /// Lines for a person: a heading for each section, and a row for each fact.
  package func lines(_ style: ReplyStyle) -> [String] {
    let widest = sections.flatMap { section in
      section.facts.map { TextWidth.columns(of: style.sanitized(Self.label($0, in: section))) }
    }
    let width = min((widest.max() ?? 0) + 2, 24)
    var lines: [String] = []
    for section in sections where !section.facts.isEmpty {
      if !section.title.isEmpty { lines.append(style.strong(style.sanitized(section.title))) }
      let hasMarks = section.facts.contains { $0.grade != .plain }
      for fact in section.facts {
        let indent = (section.title.isEmpty ? 0 : 2) + (hasMarks ? 3 : 0)
        var rows = style.row(
          style.sanitized(Self.label(fact, in: section)), style.sanitized(fact.value),
          indent: indent, width: width)
        if fact.grade != .plain {
          rows[0] =
            TextWidth.spaces(indent - 3) + style.mark(fact.grade) + rows[0].dropFirst(indent)
        }
        lines += rows
      }
    }
    return lines
  }

  /// The label for a person. A service has the same name as in the reply to `service`.
  private static func label(_ fact: Fact, in section: Section) -> String {
    section.title == "units" ? ServiceReport.shortName(of: fact.label) : fact.label
  }

  /// Writes an object that contains an object for each section. A fact with a grade is an object, a plain fact is a
  /// text.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    for section in sections {
      json.key(section.title)
      json.beginObject()
      for fact in section.facts {
        json.key(fact.label)
        if fact.grade == .plain {
          json.value(fact.value)
        } else {
          json.beginObject()
          json.member("value", fact.value)
          json.member("grade", fact.grade.rawValue)
          json.endObject()
        }
      }
      json.endObject()
    }
    json.endObject()
  }
}
