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
  /// The place within the value, as in `playback.rate`.
  package let place: String
  /// The error at this place, in words.
  package let problem: String

  /// An error at a place.
  package init(_ place: String, _ problem: String, _ kind: Kind = .invalidValue) {
    self.kind = kind
    self.place = place
    self.problem = problem
  }

  /// The place and the problem.
  package var description: String { "\(place): \(problem)" }
}
