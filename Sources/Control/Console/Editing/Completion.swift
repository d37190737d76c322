internal import Text

/// The possible completions at the cursor.
package struct Completion: Equatable, Sendable {
  /// All candidates, in the order of the grammar.
  package var candidates: [String]
  /// The common beginning of all candidates, without the part that is already written. A space
  /// follows if there is only one candidate.
  package var insertion: String

  /// By default, the completion has no candidates.
  package init(candidates: [String] = [], insertion: String = "") {
    self.candidates = candidates
    self.insertion = insertion
  }

  /// The completion of a word from its candidates. `written` is the part of the word that is
  /// already typed.
  package init(of candidates: [String], written: String) {
    self.candidates = candidates
    guard let first = candidates.first else {
      insertion = ""
      return
    }
    let common = candidates.dropFirst().reduce(Substring(first)) { common, next in
      common.prefix(zip(common, next).prefix { $0 == $1 }.count)
    }
    insertion = String(common.dropFirst(written.count)) + (candidates.count == 1 ? " " : "")
  }

  /// Returns the candidates in columns. Each column is filled from top to bottom.
  package func listing(columns: Int) -> [String] {
    guard !candidates.isEmpty else { return [] }
    let widest = candidates.map { TextWidth.columns(of: $0) }.max() ?? 0
    let across = max(1, (columns - 1) / (widest + 2))
    let rows = (candidates.count + across - 1) / across
    return (0..<rows).map { row in
      var line = ""
      for index in stride(from: row, to: candidates.count, by: rows) {
        let isLast = index + rows >= candidates.count
        line += isLast ? candidates[index] : TextWidth.padded(candidates[index], to: widest + 2)
      }
      return line
    }
  }
}
