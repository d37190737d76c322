package import LibraryModel
package import NowPlaying
internal import Reports
internal import Text

/// A question to a person: several entries of the library have the name, or none has. Which one is meant?
package struct EntryQuestion: Equatable, Sendable {
  /// Why the words are not clear.
  package enum Cause: Sendable {
    /// Nothing has this name. The only row is the entry with the most similar name.
    case misspelt
    /// Several entries have this name.
    case ambiguous
  }

  let words: String
  let cause: Cause
  let rows: [LibraryRow]

  /// - Parameters:
  ///   - words: what the person has written.
  ///   - rows: the entries that may be meant. At least one.
  package init(_ words: String, _ cause: Cause, _ rows: [LibraryRow]) {
    self.words = words
    self.cause = cause
    self.rows = rows
  }

  // MARK: Asking a person

  /// The lines before the question.
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

  /// The entry that an answer means; nil if it means none.
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

  /// The refusal.
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

  /// Adds the entries to the members of a refusal.
  func write(to json: inout JSONWriter) {
    switch cause {
    case .misspelt: json.member("suggestion", title)
    case .ambiguous:
      json.key("choices")
      shown.write(to: &json)
    }
  }
}
