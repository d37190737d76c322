/// Things that are so, by name, in sections: the answer to a ``FactsTopic``.
package struct FactsReport: Hashable, Sendable {
  /// One thing.
  package struct Fact: Hashable, Sendable {
    package var label: String
    package var value: String
    package var grade: Grade

    /// - Parameters:
    ///   - label: a word or two; unlike the others of its section.
    ///   - value: with its unit; may come from anywhere.
    package init(_ label: String, _ value: String, _ grade: Grade = .plain) {
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

  /// Labels that come again get a number, so that each is there once.
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

  /// Something is not as it should be.
  package var hasTrouble: Bool {
    sections.contains { $0.facts.contains { $0.grade == .bad } }
  }
}
