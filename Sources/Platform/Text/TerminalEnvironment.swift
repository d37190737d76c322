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

  /// Whether text beyond ASCII is shown as it is, by the first of these variables that is set
  /// (POSIX, *Environment Variables*). Without any, the locale is `C`: ASCII.
  package static func allowsUnicode(all: String?, type: String?, language: String?) -> Bool {
    let name = [all, type, language].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    let letters = name.lowercased()
    return letters.hasSuffix("utf-8") || letters.hasSuffix("utf8")
  }

  /// Whether text beyond ASCII is shown as it is.
  package static var allowsUnicode: Bool {
    allowsUnicode(all: variable("LC_ALL"), type: variable("LC_CTYPE"), language: variable("LANG"))
  }

  /// What `TERM` says; nil where it is not set.
  package static var term: String? { variable("TERM") }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
