package import LibraryModel
package import NowPlaying
internal import Reports
internal import Text

/// Asks the user which entry of the library is meant, because several entries have the given name, or no entry has it.
package struct EntryQuestion: Equatable, Sendable {
  /// The reason for the question.
  package enum Cause: Sendable {
    /// No entry has this name. The only row is the entry with the most similar name.
    case misspelt
    /// Several entries have this name.
    case ambiguous
  }

  let words: String
  let cause: Cause
  let rows: [LibraryRow]

  /// - Parameters:
  ///   - words: the text that the user has typed.
  ///   - rows: the entries that are possibly meant. The array must not be empty.
  package init(_ words: String, _ cause: Cause, _ rows: [LibraryRow]) {
    self.words = words
    self.cause = cause
    self.rows = rows
  }

  // MARK: Asking the user

  /// The lines that are shown before the question.
  package func warning(_ style: ReplyStyle) -> [String] {
    guard cause == .ambiguous else { return [] }
    return rows.enumerated().map { index, row in
      let number = TextWidth.rightAligned("\(index + 1)", to: 4)
      return "\(number)  " + style.cut(style.sanitized(row.words), to: style.columns - 7)
    }
  }

  /// The question, on one line.
  package func question(_ style: ReplyStyle) -> String {
    switch cause {
    case .misspelt:
      let title = style.cut(style.sanitized(title), to: max(10, style.columns - 26))
      return "Did you mean \"\(title)\"? [Y/n] "
    case .ambiguous: return "Which one? [1-\(rows.count)] "
    }
  }

  /// The entry that the user has chosen with this answer. Nil if the answer chooses no entry.
  package func row(for answer: String) -> LibraryRow? {
    let answer = answer.lowercased().filter { $0 != " " }
    switch cause {
    case .misspelt: return ["", "y", "yes"].contains(answer) ? rows.first : nil
    case .ambiguous:
      guard let number = Int(answer), rows.indices.contains(number - 1) else { return nil }
      return rows[number - 1]
    }
  }

  private var title: String { rows.first?.title ?? "" }

  // MARK: Refusing

  /// The refusal that is shown if the user cannot be asked.
  package var refusal: Refusal {
    switch cause {
    case .misspelt:
      Refusal(
        .noSuchContent, "nothing was found for '\(words)'", remedy: "did you mean '\(title)'?")
    case .ambiguous:
      Refusal(
        .ambiguousItem, "several entries have the name '\(words)'",
        remedy: "add a word, such as the artist")
    }
  }

  /// The entries that are shown with the refusal.
  private var shown: LibraryFindings {
    var found = LibraryFindings()
    found.rows = rows
    return found
  }

  func lines(_ style: ReplyStyle) -> [String] {
    cause == .ambiguous ? shown.lines(style) : []
  }

  /// Writes the entries as further members of the refusal's object.
  func write(to json: inout JSONWriter) {
    switch cause {
    case .misspelt: json.member("suggestion", title)
    case .ambiguous:
      json.key("choices")
      shown.write(to: &json)
    }
  }
}
