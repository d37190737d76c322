/// A way to controllers: a program's, or a test's.
///
/// - Thread: the control thread only. Nothing waits.
package protocol RadioAccess: AnyObject {
  /// Asks a controller who it is and how well it hears its links.
  /// - Parameters:
  ///   - adapter: 0 for `hci0`.
  ///   - completion: called once, after this method has returned, with what the controller answered or
  ///     with the reason why nothing could be read. Not called after `cancel`.
  func read(
    _ adapter: Int, _ completion: @escaping (Result<RadioReading, RadioFailure>) -> Void
  ) -> any RadioRequest
}

/// A question to a controller that is under way. Letting go of it cancels it, too.
package protocol RadioRequest: AnyObject {
  /// Ends it without a result. After the completion it does nothing.
  func cancel()
}

/// Why nothing could be read of a controller.
package struct RadioFailure: Error, Hashable, Sendable {
  /// For a person, in one line.
  package let words: String

  /// - Parameter words: for a person, in one line.
  package init(_ words: String) { self.words = words }
}
