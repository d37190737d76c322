/// What came over the wire is not what it should be.
package struct WireError: Error, Equatable, CustomStringConvertible {
  /// Where in the value: `playback.rate`.
  package let place: String
  /// What is wrong there.
  package let problem: String

  init(_ place: String, _ problem: String) {
    self.place = place
    self.problem = problem
  }

  /// Both.
  package var description: String { "\(place): \(problem)" }
}
