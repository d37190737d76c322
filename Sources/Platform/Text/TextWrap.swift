/// Breaks text into lines of a given width.
package enum TextWrap {
  /// `text` in lines of at most `columns` columns. A line is broken at a space. Only a word that is wider than a line
  /// is broken inside. Returns at least one line.
  package static func lines(_ text: String, columns: Int) -> [String] {
    let columns = max(columns, 2)
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let width = TextWidth.columns(of: String(word))
      if !line.isEmpty || used > 0 {
        if used + 1 + width <= columns {
          line += " \(word)"
          used += 1 + width
          continue
        }
        lines.append(line)
      }
      (line, used) = ("", 0)
      for character in word {
        let next = TextWidth.columns(of: String(character))
        if used + next > columns {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += next
      }
    }
    return lines + [line]
  }
}
