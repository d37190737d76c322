package import Artwork
package import NowPlaying
internal import Reports

extension UnitLog {
  /// Minimum time between two lines about covers with the same reason. A folder often contains many covers with the
  /// same fault, so their lines would fill the log.
  package static let coverInterval = Duration.seconds(60)

  /// Logs a notice about the cover of a track. The limit applies to each reason separately.
  package func limited(_ notice: CoverNotice, at now: MonotonicInstant) {
    limited(
      LogEvent(notice), "\(notice)", reason: notice.reason.name, interval: Self.coverInterval,
      at: now)
  }
}

extension LogEvent {
  fileprivate init(_ notice: CoverNotice) {
    switch (notice.subject, notice.reason) {
    case (.cache, _): self = .coverNotStored
    case (_, .mislabelled): self = .coverMislabelled
    case (_, .refused), (_, .tooMany), (_, .address): self = .coverSkipped
    }
  }
}

extension CoverNotice.Reason {
  /// The kind of the reason. It contains no text from the files, because the limit of the log permits only a few
  /// different kinds.
  fileprivate var name: String {
    switch self {
    case .refused(let fault): fault.name
    case .mislabelled: "mislabelled"
    case .tooMany: "too many"
    case .address: "address"
    }
  }
}

extension CoverFault {
  fileprivate var name: String {
    switch self {
    case .unreadable: "unreadable"
    case .empty: "empty"
    case .tooManyBytes: "too many bytes"
    case .otherKind: "other kind"
    case .unknownKind: "unknown kind"
    case .truncated: "truncated"
    case .damaged: "damaged"
    case .unsupported: "unsupported"
    case .tooLarge: "too large"
    }
  }
}
