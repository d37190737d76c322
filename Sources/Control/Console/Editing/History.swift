/// The lines that were entered before. Their number is limited, and there are no duplicates.
package struct History: Equatable, Sendable {
  /// The maximum number of lines.
  package static let limit = 200

  /// The lines, oldest first.
  package private(set) var lines: [String] = []
  /// The index of the line that *up* and *down* have reached. `lines.count` stands for the line
  /// that is being edited.
  private var place = 0
  private var draft = ""

  /// - Parameter lines: oldest first; the newest ``limit`` of them are kept.
  package init(_ lines: [String] = []) {
    for line in lines { add(line) }
  }

  /// Adds a line. A duplicate moves to the end. Blank lines are not added.
  package mutating func add(_ line: String) {
    defer {
      place = lines.count
      draft = ""
    }
    guard line.contains(where: { $0 != " " }) else { return }
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
  }

  /// The previous line. Nil if the present line is the oldest one.
  ///
  /// - Parameter current: the present text of the line. If this is the text of the line that is
  ///   being edited, it is kept for ``newer()``.
  package mutating func older(than current: String) -> String? {
    guard place > 0 else { return nil }
    if place == lines.count { draft = current }
    place -= 1
    return lines[place]
  }

  /// The next line. After the newest line, the line that is being edited follows. After that line,
  /// the result is nil.
  package mutating func newer() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place < lines.count ? lines[place] : draft
  }

  /// Returns to the newest position and drops the text of the edited line.
  package mutating func rewind() {
    place = lines.count
    draft = ""
  }
}
