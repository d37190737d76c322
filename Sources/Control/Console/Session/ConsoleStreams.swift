/// The descriptors of the three streams of a console.
package struct ConsoleStreams: Sendable {
  package var input: Int32
  package var output: Int32
  package var errors: Int32

  /// Creates streams. By default, these are the standard streams.
  package init(input: Int32 = 0, output: Int32 = 1, errors: Int32 = 2) {
    self.input = input
    self.output = output
    self.errors = errors
  }
}

/// The abilities of the terminal, as the environment variables tell them.
package struct ConsoleEnvironment: Sendable {
  package var canMoveCursor: Bool
  package var hasColor: Bool
  package var hasUnicode: Bool

  /// Creates the abilities of a terminal.
  package init(canMoveCursor: Bool, hasColor: Bool, hasUnicode: Bool) {
    self.canMoveCursor = canMoveCursor
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
  }
}
