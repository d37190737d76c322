/// One line of a helper's answer: a kind, an identifier and a text.
public struct HelperAnswer: Equatable, Sendable {
  /// What the helper has done.
  public enum Kind: String, Sendable {
    case progress, done, refused, failed
  }

  /// Lines of progress come before the line with the result.
  public let kind: Kind
  /// Empty if the line has none.
  public let identifier: String
  /// Empty if the line has none.
  public let text: String

  /// Nil if the line does not begin with a kind.
  public init?(line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard let kind = parts.first.flatMap(Kind.init) else { return nil }
    self.kind = kind
    identifier = parts.count > 1 ? parts[1] : ""
    text = parts.count > 2 ? parts[2] : ""
  }
}
