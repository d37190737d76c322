/// The language of a text (BCP 47: `de`, `en-US`), or `und`: for all listeners (P9).
public struct LanguageTag: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let subtags: [String]

  /// Undefined: shown to all listeners. Nearly every text should have this language.
  public static let undefined: LanguageTag = "und"

  /// Upper and lower case are equal. An empty text is ``undefined``.
  public init(_ text: String) {
    let parts = text.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    subtags = parts.isEmpty ? ["und"] : parts
  }

  /// See ``init(_:)``.
  public init(stringLiteral value: String) { self.init(value) }

  /// Lower-case subtags, joined by hyphens.
  public var description: String { subtags.joined(separator: "-") }

  /// True for a text that is shown to all listeners.
  public var isUndefined: Bool { subtags[0] == "und" }

  /// A number that states how well a text in this language suits `listener`. A higher number is
  /// better. Nil if the text is not for this listener (P9: a text is shown only to listeners of its
  /// language).
  ///
  /// Two tags match if one begins with the other. So `en` matches a listener of `en-GB`, and
  /// `en-GB` matches a listener of `en`, but `en-US` does not match `en-GB`.
  func suitability(for listener: LanguageTag) -> Int? {
    if isUndefined { return 0 }
    let common = min(subtags.count, listener.subtags.count)
    guard subtags[..<common] == listener.subtags[..<common] else { return nil }
    let surplus = max(subtags.count, listener.subtags.count) - common
    return common * 100 - surplus
  }
}
