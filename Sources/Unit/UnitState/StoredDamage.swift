/// The parts of saved bytes that could not be decoded, although their checksum is correct. The other parts are used.
public struct StoredDamage: Equatable, Sendable {
  /// Names of the values that were left out because they are invalid. Each name occurs once.
  public private(set) var values: [String] = []
  /// The reason why the end of the bytes could not be decoded. Nil if the end was decoded.
  public internal(set) var end: UnitStateError?

  /// Creates a value without damage.
  public init() {}

  /// True if all bytes were decoded.
  public var isEmpty: Bool { values.isEmpty && end == nil }

  mutating func note(_ value: String) {
    if !values.contains(value) { values.append(value) }
  }

  /// The parts that were left out, as text for a log.
  public var reason: String {
    let parts = [values.isEmpty ? nil : "no valid " + values.joined(separator: ", "), end?.reason]
    return parts.compactMap { $0 }.joined(separator: "; ")
  }
}
