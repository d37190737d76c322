/// Facts about the unit, in sections. A report is the answer to a request for one ``FactsTopic``.
package struct FactsReport: Hashable, Sendable {
  /// A label and a value.
  package struct Fact: Hashable, Sendable {
    package var label: String
    package var value: String
    package var grade: Grade

    /// - Parameters:
    ///   - label: one or two words, unique within the section.
    ///   - value: the value as text, with its unit of measurement. The text can come from outside the head unit, for
    ///     example from a phone.
    package init(_ label: String, _ value: String, _ grade: Grade = .plain) {
      self.label = label
      self.value = value
      self.grade = grade
    }
  }

  /// Facts that belong together.
  package struct Section: Hashable, Sendable {
    package var title: String
    package var facts: [Fact]

    package init(_ title: String, _ facts: [Fact]) {
      self.title = title
      self.facts = facts
    }
  }

  package var sections: [Section]

  package init(_ sections: [Section]) { self.sections = sections }

  /// Adds a number to each repeated label, so that all labels are unique.
  package static func numbered(_ facts: [Fact]) -> [Fact] {
    var counts: [String: Int] = [:]
    return facts.map { fact in
      var fact = fact
      let count = (counts[fact.label] ?? 0) + 1
      counts[fact.label] = count
      if count > 1 { fact.label += " \(count)" }
      return fact
    }
  }

  /// True if at least one fact has the grade *bad*.
  package var hasProblem: Bool {
    sections.contains { $0.facts.contains { $0.grade == .bad } }
  }
}
