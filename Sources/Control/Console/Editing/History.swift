/// The lines entered before. Bounded, without duplicates.
package struct History: Equatable, Sendable {
  /// The maximum number of lines.
  package static let limit = 200

  /// The lines, oldest first.
  package private(set) var lines: [String] = []
  /// The position that *up* and *down* have reached. `lines.count` is the line that is being
  /// edited.
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

  /// The previous line. Nil if the current one is the oldest.
  ///
  /// - Parameter current: the text on the line now. It is kept if it is the line that is being
  ///   edited.
  package mutating func older(than current: String) -> String? {
    guard place > 0 else { return nil }
    if place == lines.count { draft = current }
    place -= 1
    return lines[place]
  }

  /// The next line, or at the end the line that is being edited. Nil after that.
  package mutating func newer() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place < lines.count ? lines[place] : draft
  }

  /// Returns to the newest position and forgets the edited line.
  package mutating func rewind() {
    place = lines.count
    draft = ""
  }
}
