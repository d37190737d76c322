internal import Text

/// The help text, generated from the grammar. It is at most 79 columns wide.
package struct HelpText: Sendable {
  private static let nameColumns = 10
  private static let entryColumns = 40
  private let grammar: Grammar

  /// - Parameter grammar: the commands that the text explains.
  package init(_ grammar: Grammar) { self.grammar = grammar }

  /// All commands, in groups. Two commands with their summaries are in one row. For the commands of playback, only the
  /// names are shown. The text and a prompt fit on a terminal with 24 rows.
  package var overview: [String] {
    var lines: [String] = []
    for group in CommandSyntax.Group.allCases {
      let entries = grammar.commands.filter { $0.group == group }
      guard !entries.isEmpty else { continue }
      lines.append("\(group.rawValue):")
      if group.hasPlainNames {
        let names = entries.map(\.name).joined(separator: ", ")
        lines += TextWrap.lines(names, columns: 77).map { " \($0)" }
        continue
      }
      let rows = (entries.count + 1) / 2
      for row in 0..<rows {
        let left = Self.entry(entries[row])
        let right = row + rows < entries.count ? Self.entry(entries[row + rows]) : ""
        lines.append(
          right.isEmpty ? left : TextWidth.padded(left, to: Self.entryColumns) + right)
      }
    }
    lines.append(
      "Exit status: 0 done, 1 refused or fault found, 2 invalid command, 3 no daemon.")
    lines.append("'help COMMAND' shows details. Tab completes. Words can be shortened: 'vol 40'.")
    return lines
  }

  private static func entry(_ syntax: CommandSyntax) -> String {
    " " + TextWidth.padded(syntax.name, to: nameColumns) + syntax.summary
  }

  /// The help of one command. Nil if there is no command of this name.
  package func topic(_ name: String) -> [String]? {
    guard let syntax = grammar.commands.first(where: { $0.name == name }) else { return nil }
    var lines = syntax.usages.enumerated().map { index, usage in
      (index == 0 ? "Usage: " : "       ") + usage
    }
    lines.append("  \(syntax.summary)")
    if !syntax.aliases.isEmpty { lines.append("  Also: \(syntax.aliases.joined(separator: ", "))") }
    if !syntax.details.isEmpty {
      let details = syntax.details.split(separator: "\n").joined(separator: " ")
      lines += TextWrap.lines(details, columns: 76).map { "  \($0)" }
    }
    lines.append("Examples:")
    let widest = syntax.examples.map { TextWidth.columns(of: $0.line) }.max() ?? 0
    lines += syntax.examples.map { example in
      "  \(TextWidth.padded(example.line, to: widest + 3))\(example.effect)"
    }
    return lines
  }
}
