/// The lines that were given before, the newest last. Bounded, and no line twice.
package struct History: Equatable, Sendable {
  /// How many lines are kept.
  package static let limit = 200

  /// The oldest first.
  package private(set) var lines: [String] = []
  /// Where *up* and *down* have led to; `lines.count` is the line that is being written.
  private var place = 0
  private var draft = ""

  /// - Parameter lines: the oldest first; the newest ``limit`` of them are kept.
  package init(_ lines: [String] = []) {
    for line in lines { add(line) }
  }

  /// Takes a line. One that was there before moves to the end. Blank ones are nothing.
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

  /// The line before; nil at the oldest.
  ///
  /// - Parameter current: what is on the line now; kept if it is the one being written.
  package mutating func older(than current: String) -> String? {
    guard place > 0 else { return nil }
    if place == lines.count { draft = current }
    place -= 1
    return lines[place]
  }

  /// The line after, at last the one that was being written; nil there.
  package mutating func newer() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place < lines.count ? lines[place] : draft
  }

  /// Begins at the newest again.
  package mutating func rewind() {
    place = lines.count
    draft = ""
  }
}
