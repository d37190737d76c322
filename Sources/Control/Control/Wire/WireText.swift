internal import EventLoop

/// Limits for the texts on the wire. Because of these limits, a state always fits into a message, even if a tag is very
/// long. A longer text is truncated between two Unicode scalars.
enum WireText {
  /// The maximum number of bytes of a text for the user, such as a title, an artist or a sentence. No surface shows
  /// more.
  static let line = 1024
  /// The maximum number of bytes of an identity. The longest path that Linux accepts has this length.
  static let identity = 4096
  /// The maximum number of bytes of a short text: an id, an address, a key, a mode, or the name of a phone or volume.
  static let word = 256

  static func line(_ text: String) -> BusValue { .string(lineText(text)) }
  static func identity(_ text: String) -> BusValue { .string(identityText(text)) }
  static func word(_ text: String) -> BusValue { .string(BusText.harmless(text, limit: word)) }

  /// A line as clients get it, see ``BusText/harmless(_:limit:)``.
  static func lineText(_ text: String) -> String { BusText.harmless(text, limit: line) }

  /// An identity as clients get it, see ``BusText/harmless(_:limit:)``.
  static func identityText(_ text: String) -> String { BusText.harmless(text, limit: identity) }
}
