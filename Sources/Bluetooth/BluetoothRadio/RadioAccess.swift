/// Reads controllers. The daemon uses the program `autoharp-radio`, tests use a substitute.
///
/// - Thread: the control thread only. Never blocks.
package protocol RadioAccess: AnyObject {
  /// Reads the details of a controller and the signals of its links.
  /// - Parameters:
  ///   - adapter: 0 for `hci0`.
  ///   - completion: called once, after this method has returned, with the reading or with the
  ///     reason why nothing could be read. Not called after `cancel`.
  func read(
    _ adapter: Int, _ completion: @escaping (Result<RadioReading, RadioFailure>) -> Void
  ) -> any RadioRequest
}

/// A reading in progress. Deallocation also cancels it.
package protocol RadioRequest: AnyObject {
  /// Ends the reading without a result. Does nothing after the completion.
  func cancel()
}

/// Why a controller could not be read.
package struct RadioFailure: Error, Hashable, Sendable {
  /// For a person, in one line.
  package let words: String

  /// - Parameter words: for a person, in one line.
  package init(_ words: String) { self.words = words }
}
