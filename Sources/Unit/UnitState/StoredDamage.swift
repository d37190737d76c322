/// What could not be read of a saved file whose checksum is right. The rest of the file is used.
public struct StoredDamage: Equatable, Sendable {
  /// The values that were left out, because they are not valid, each kind once.
  public private(set) var values: [String] = []
  /// Why the end of the file could not be read. Nil if it was.
  public internal(set) var end: UnitStateError?

  /// No damage.
  public init() {}

  /// True if the whole file was read.
  public var isEmpty: Bool { values.isEmpty && end == nil }

  mutating func note(_ value: String) {
    if !values.contains(value) { values.append(value) }
  }

  /// What was left out, for a log.
  public var reason: String {
    let parts = [values.isEmpty ? nil : "no valid " + values.joined(separator: ", "), end?.reason]
    return parts.compactMap { $0 }.joined(separator: "; ")
  }
}
