/// The lines that the user has entered. The number of lines is limited, and there are no duplicates.
package struct History: Equatable, Sendable {
  /// The maximum number of lines.
  package static let limit = 200

  /// The lines, oldest first.
  package private(set) var lines: [String] = []
  /// The index of the line that the keys *up* and *down* have selected. `lines.count` means the new line, which is not
  /// in the history.
  private var index = 0
  private var draft = ""

  /// - Parameter lines: the lines, oldest first. If there are more than ``limit``, only the newest lines are kept.
  package init(_ lines: [String] = []) {
    for line in lines { add(line) }
  }

  /// Adds a line. A duplicate moves to the end. Blank lines are not added.
  package mutating func add(_ line: String) {
    defer {
      index = lines.count
      draft = ""
    }
    guard line.contains(where: { $0 != " " }) else { return }
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
  }

  /// Selects and returns the previous line. Nil if the selected line is the oldest line.
  ///
  /// - Parameter current: the text that the terminal shows now. If the new line is selected, this text is stored, so
  ///   that ``newer()`` can return it.
  package mutating func older(than current: String) -> String? {
    guard index > 0 else { return nil }
    if index == lines.count { draft = current }
    index -= 1
    return lines[index]
  }

  /// Selects and returns the next line. After the newest line, returns the stored text of the new line. Nil if the new
  /// line is already selected.
  package mutating func newer() -> String? {
    guard index < lines.count else { return nil }
    index += 1
    return index < lines.count ? lines[index] : draft
  }

  /// Selects the new line, and drops its stored text.
  package mutating func rewind() {
    index = lines.count
    draft = ""
  }
}
