/// The identity of a surface: `phone`, `screen`, `console`.
public struct SurfaceID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The identity in its encoded form.
  public let rawValue: String

  /// Creates an identity from a text that no other surface uses.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { self.init(value) }

  /// The raw value.
  public var description: String { rawValue }
}
