/// The error for a received value that does not have the expected form.
package struct WireError: Error, Equatable, CustomStringConvertible {
  /// The kind of error.
  package enum Kind: Hashable, Sendable {
    /// A required field is absent.
    case missing
    /// The value has another type than expected.
    case wrongType
    /// The value has the expected type, but is not permitted.
    case invalidValue
  }

  /// The kind of error.
  package let kind: Kind
  /// The name of the field, such as `playback.rate`.
  package let field: String
  /// The error in this field, in words.
  package let problem: String

  /// Creates an error in a field.
  package init(_ field: String, _ problem: String, _ kind: Kind = .invalidValue) {
    self.kind = kind
    self.field = field
    self.problem = problem
  }

  /// The field and the problem.
  package var description: String { "\(field): \(problem)" }
}
