/// A received value does not have the expected form.
package struct WireError: Error, Equatable, CustomStringConvertible {
  /// The place within the value, as in `playback.rate`.
  package let place: String
  /// What is wrong at this place.
  package let problem: String

  init(_ place: String, _ problem: String) {
    self.place = place
    self.problem = problem
  }

  /// The place and the problem.
  package var description: String { "\(place): \(problem)" }
}
