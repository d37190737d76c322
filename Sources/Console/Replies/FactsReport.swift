package import JSON
internal import Terminal

/// Things that are so, by name, in sections: `status`, `audio`, `storage`, `boot`, `version`.
package struct FactsReport: Hashable, Sendable {
  /// One thing.
  package struct Fact: Hashable, Sendable {
    package var label: String
    package var value: String
    package var grade: ReplyStyle.Grade

    /// - Parameters:
    ///   - label: a word or two; unlike the others of its section.
    ///   - value: with its unit; may come from anywhere.
    package init(_ label: String, _ value: String, _ grade: ReplyStyle.Grade = .plain) {
      self.label = label
      self.value = value
      self.grade = grade
    }
  }

  /// What belongs together.
  package struct Section: Hashable, Sendable {
    package var title: String
    package var facts: [Fact]

    /// See the fields.
    package init(_ title: String, _ facts: [Fact]) {
      self.title = title
      self.facts = facts
    }
  }

  package var sections: [Section]

  /// See the field.
  package init(_ sections: [Section]) { self.sections = sections }

  /// Something is not as it should be.
  package var hasTrouble: Bool {
    sections.contains { $0.facts.contains { $0.grade == .bad } }
  }

  /// Lines of text: a head per section, a row per fact.
  package func lines(_ style: ReplyStyle) -> [String] {
    let widest = sections.flatMap(\.facts).map { TextWidth.columns(of: style.harmless($0.label)) }
    let width = min((widest.max() ?? 0) + 2, 24)
    var lines: [String] = []
    for section in sections where !section.facts.isEmpty {
      if !section.title.isEmpty { lines.append(style.strong(style.harmless(section.title))) }
      let hasMarks = section.facts.contains { $0.grade != .plain }
      for fact in section.facts {
        let indent = (section.title.isEmpty ? 0 : 2) + (hasMarks ? 3 : 0)
        var rows = style.row(
          style.harmless(fact.label), style.harmless(fact.value), indent: indent, width: width)
        if fact.grade != .plain {
          rows[0] =
            TextWidth.spaces(indent - 3) + style.mark(fact.grade) + rows[0].dropFirst(indent)
        }
        lines += rows
      }
    }
    return lines
  }

  /// An object with an object per section; a fact with a grade is an object itself.
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
