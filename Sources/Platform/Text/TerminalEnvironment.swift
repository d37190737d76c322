internal import Glibc

/// Properties of the terminal, from environment variables and `isatty`.
package enum TerminalEnvironment {
  /// False if `NO_COLOR` is set to a text that is not empty (https://no-color.org); otherwise true.
  package static func allowsColor(noColor: String?) -> Bool { noColor?.isEmpty ?? true }

  /// True if the terminal can move its cursor. `TERM=dumb` marks a terminal that cannot do this. The result is true for
  /// all other values of `TERM`, because nearly all terminals can move their cursor.
  package static func allowsDrawing(term: String?) -> Bool { term != "dumb" }

  /// True if the environment permits colours.
  package static var allowsColor: Bool { allowsColor(noColor: variable("NO_COLOR")) }

  /// True if `descriptor` is a terminal that can move its cursor.
  package static func canDraw(on descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && allowsDrawing(term: variable("TERM"))
  }

  /// True if the terminal shows text beyond ASCII. The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty
  /// decides (POSIX, *Environment Variables*). If all are empty, the locale is `C`, which is ASCII.
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
