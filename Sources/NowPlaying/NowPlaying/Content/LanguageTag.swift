/// The language of a text as a BCP 47 tag, such as `de` or `en-US`. The tag `und` marks a text for all listeners (P9).
public struct LanguageTag: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let subtags: [String]

  /// The tag `und`: the text is shown to all listeners. Nearly every text should have this tag.
  public static let undefined: LanguageTag = "und"

  /// Creates a tag. Upper and lower case are equal. An empty text gives ``undefined``.
  public init(_ text: String) {
    let parts = text.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    subtags = parts.isEmpty ? ["und"] : parts
  }

  public init(stringLiteral value: String) { self.init(value) }

  /// Lower-case subtags, joined by hyphens.
  public var description: String { subtags.joined(separator: "-") }

  /// True for the tag `und`.
  public var isUndefined: Bool { subtags[0] == "und" }

  /// A number that states how well a text in this language suits `listener`. A higher number is better. Nil if the text
  /// is not for this listener, because a text is shown only to listeners of its language (P9).
  ///
  /// Two tags match if one tag begins with all subtags of the other tag. So `en` matches a listener of `en-GB`, and
  /// `en-GB` matches a listener of `en`, but `en-US` does not match `en-GB`.
  func suitability(for listener: LanguageTag) -> Int? {
    if isUndefined { return 0 }
    let common = min(subtags.count, listener.subtags.count)
    guard subtags[..<common] == listener.subtags[..<common] else { return nil }
    let surplus = max(subtags.count, listener.subtags.count) - common
    return common * 100 - surplus
  }
}
