/// The identity of a session. Each source has one identity, which is the same after a restart.
public struct SessionID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The identity in its encoded form.
  public let rawValue: String

  /// Creates an identity from a text that no other source uses.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { self.init(value) }

  /// The raw value.
  public var description: String { rawValue }
}
