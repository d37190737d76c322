/// The three streams of a console.
package struct ConsoleStreams: Sendable {
  package var input: Int32
  package var output: Int32
  package var errors: Int32

  /// The standard streams by default.
  package init(input: Int32 = 0, output: Int32 = 1, errors: Int32 = 2) {
    self.input = input
    self.output = output
    self.errors = errors
  }
}

/// The abilities of the terminal, from the environment.
package struct ConsoleEnvironment: Sendable {
  package var canMoveCursor: Bool
  package var hasColor: Bool
  package var hasUnicode: Bool

  /// The abilities of a terminal.
  package init(canMoveCursor: Bool, hasColor: Bool, hasUnicode: Bool) {
    self.canMoveCursor = canMoveCursor
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
  }
}
