/// The reason why a picture is not shown. Its description becomes a part of a log line.
package enum PictureFailure: Error, Hashable, Sendable {
  case unknownFormat, tooLarge, damaged
  case tookTooLong
  /// The caller does not need the picture any more.
  case interrupted
  /// The picture cannot be read, or there is no memory for the decoded pixels.
  case unreadable
  /// Too many pictures wait for the decoder.
  case tooMany
  /// The decoder ended because of a signal.
  case crashed(signal: Int32)
  /// The decoder ended with an unexpected status.
  case ended(status: Int32)
  /// The decoder cannot be started.
  case notStarted(path: String, reason: String)
}

extension PictureFailure: CustomStringConvertible {
  /// A part of a log line.
  package var description: String {
    switch self {
    case .unknownFormat: "unknownFormat"
    case .tooLarge: "tooLarge"
    case .damaged: "damaged"
    case .tookTooLong: "tookTooLong"
    case .interrupted: "interrupted"
    case .unreadable: "unreadable"
    case .tooMany: "tooMany"
    case .crashed(let signal): "the decoder was ended by signal \(signal)"
    case .ended(let status): "the decoder ended with status \(status)"
    case .notStarted(let path, let reason): "\(path) cannot be started (\(reason))"
    }
  }
}
