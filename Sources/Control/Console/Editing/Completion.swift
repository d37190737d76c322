internal import Text

/// What could stand where the cursor is.
package struct Completion: Equatable, Sendable {
  /// All that fits, in the order of the grammar.
  package var candidates: [String]
  /// What all of them begin with, less what is written already; with a space behind where there is
  /// only one.
  package var insertion: String

  /// See the fields.
  package init(candidates: [String] = [], insertion: String = "") {
    self.candidates = candidates
    self.insertion = insertion
  }

  /// From the candidates for a word of which `written` is there.
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

  /// The candidates in columns, filled downwards.
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
