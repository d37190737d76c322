/// Reads controllers. The daemon uses the program `autoharp-controller`, tests use a substitute.
///
/// - Thread: the control thread only. Never blocks.
package protocol ControllerReader: AnyObject {
  /// Reads the details of a controller and the signals of its links.
  /// - Parameters:
  ///   - adapter: 0 for `hci0`.
  ///   - completion: called once, after this method has returned, with the reading or with the reason why nothing could
  ///     be read. Not called after `cancel`.
  func read(
    _ adapter: Int, _ completion: @escaping (Result<ControllerReading, ControllerFailure>) -> Void
  ) -> any ControllerQuery
}

/// A reading in progress. The deallocation of this object cancels the reading.
package protocol ControllerQuery: AnyObject {
  /// Ends the reading without a result. Does nothing after the completion.
  func cancel()
}

/// The reason why a controller could not be read.
package enum ControllerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The program could not be started, for this reason.
  case notStarted(path: String, reason: String)
  /// Too many earlier runs of the program have not ended.
  case tooManyPrograms(path: String)
  /// The program has printed this reason.
  case reported(String)
  /// The program has ended with this status and without a reason.
  case exited(status: Int32)
  case killed(signal: Int32)
  case timedOut(limit: Duration)
  case tooMuchOutput(limit: Int)
  case malformed(MalformedReading)

  /// A text for people, in one line.
  package var description: String {
    switch self {
    case .notStarted(let path, let reason): "\(path): \(reason)"
    case .tooManyPrograms(let path): "\(path): earlier runs have not ended"
    case .reported(let reason): reason
    case .exited(let status): "autoharp-controller ended with status \(status)"
    case .killed(let signal): "signal \(signal) ended autoharp-controller"
    case .timedOut(let limit): "autoharp-controller did not end within \(limit)"
    case .tooMuchOutput(let limit): "autoharp-controller printed more than \(limit) bytes"
    case .malformed(let error): "autoharp-controller: \(error)"
    }
  }
}
