/// The language that a text is meant for (BCP 47: `de`, `en-US`), or `und`: for everybody (P9).
public struct LanguageTag: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let subtags: [String]

  /// Undefined: shown to everybody. What nearly every text should have.
  public static let undefined: LanguageTag = "und"

  /// Letters of any case; an empty text is ``undefined``.
  public init(_ text: String) {
    let parts = text.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    subtags = parts.isEmpty ? ["und"] : parts
  }

  /// See ``init(_:)``.
  public init(stringLiteral value: String) { self.init(value) }

  /// Lower-case, joined by hyphens.
  public var description: String { subtags.joined(separator: "-") }

  /// Whether it addresses everybody.
  public var isUndefined: Bool { subtags[0] == "und" }

  /// How well a text of this language suits `listener`: nil where it is not for them (P9: a
  /// language shows only to its own), else more is better.
  ///
  /// Tags suit each other when one begins the other, so `en` is for listeners of `en-GB`, and
  /// `en-GB` for one who only said `en`; but `en-US` is not for `en-GB`.
  func suitability(for listener: LanguageTag) -> Int? {
    if isUndefined { return 0 }
    let common = min(subtags.count, listener.subtags.count)
    guard subtags[..<common] == listener.subtags[..<common] else { return nil }
    let surplus = max(subtags.count, listener.subtags.count) - common
    return common * 100 - surplus
  }
}
