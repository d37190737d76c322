internal import EventLoop

/// Texts on the wire have a bound each, so that a state always fits into a message, whatever a tag
/// holds. What is longer is cut between two characters.
enum WireText {
  /// Bytes of a title, an artist, a label: more than any surface shows.
  static let line = 1024
  /// Bytes of an identity: the longest path.
  static let identity = 4096
  /// Bytes of a name, a mode, a word.
  static let word = 256

  static func line(_ text: String) -> BusValue { .string(BusText.harmless(text, limit: line)) }
  static func identity(_ text: String) -> BusValue { .string(identityText(text)) }
  static func word(_ text: String) -> BusValue { .string(BusText.harmless(text, limit: word)) }

  /// An identity as clients know it.
  static func identityText(_ text: String) -> String { BusText.harmless(text, limit: identity) }
}
