internal import Glibc

/// Properties of the terminal, from environment variables and `isatty`.
package enum TerminalEnvironment {
  /// True unless `NO_COLOR` is set and not empty (https://no-color.org).
  package static func allowsColor(noColor: String?) -> Bool { noColor?.isEmpty ?? true }

  /// True unless the terminal cannot move its cursor. The result is also true for an unknown
  /// terminal. Nearly all terminals can move their cursor, and the others set `TERM=dumb`.
  package static func allowsDrawing(term: String?) -> Bool { term != "dumb" }

  /// True if the environment permits colours.
  package static var allowsColor: Bool { allowsColor(noColor: variable("NO_COLOR")) }

  /// True if `descriptor` is a terminal that can move its cursor.
  package static func canDraw(on descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && allowsDrawing(term: variable("TERM"))
  }

  /// True if the terminal shows text beyond ASCII. The first of `LC_ALL`, `LC_CTYPE` and `LANG`
  /// that is not empty decides (POSIX, *Environment Variables*). If all are empty, the locale is
  /// `C`, which is ASCII.
  package static func allowsUnicode(all: String?, type: String?, language: String?) -> Bool {
    let name = [all, type, language].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    let letters = name.lowercased()
    return letters.hasSuffix("utf-8") || letters.hasSuffix("utf8")
  }

  /// True if the terminal shows text beyond ASCII.
  package static var allowsUnicode: Bool {
    allowsUnicode(all: variable("LC_ALL"), type: variable("LC_CTYPE"), language: variable("LANG"))
  }

  /// The value of `TERM`. Nil if it is not set.
  package static var term: String? { variable("TERM") }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
