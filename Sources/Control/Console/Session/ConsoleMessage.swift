/// A message for the user that is not a refusal.
package struct ConsoleMessage: Hashable, Sendable {
  /// The kind of message, as an identifier for programs. The code stays the same when the text changes.
  package let code: String
  /// The message for the user.
  package let text: String

  /// - Parameter code: lower-case letters and hyphens.
  package init(_ code: String, _ text: String) {
    self.code = code
    self.text = text
  }
}
