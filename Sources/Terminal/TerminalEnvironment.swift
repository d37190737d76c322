internal import Glibc

/// What the environment says about the terminal.
package enum TerminalEnvironment {
  /// Whether colours are welcome, see https://no-color.org: an empty variable is none.
  package static func allowsColor(noColor: String?) -> Bool { noColor?.isEmpty ?? true }

  /// Whether the terminal can move its cursor. One of an unknown kind is taken to be able to:
  /// nearly all are, and those that are not say so.
  package static func allowsDrawing(term: String?) -> Bool { term != "dumb" }

  /// Whether to use colours.
  package static var allowsColor: Bool { allowsColor(noColor: variable("NO_COLOR")) }

  /// Whether `descriptor` is a terminal on which something can be drawn.
  package static func canDraw(on descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && allowsDrawing(term: variable("TERM"))
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
