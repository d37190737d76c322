package import NowPlaying

/// The album that plays.
package struct AlbumReport: Hashable, Sendable {
  /// Maximum number of tracks in a report.
  package static let limit = 200

  /// The title from the tags.
  package let title: String
  /// The tracks in the order of the album. The track that plays has the identity of the content.
  package let items: [UpNextItem]

  /// Drops tracks beyond ``limit``.
  package init(title: String, items: [UpNextItem]) {
    self.title = title
    self.items = Array(items.prefix(Self.limit))
  }
}

/// A message for the people in the car. Surfaces supply the words.
package struct UnitNotice: Hashable, Sendable {
  /// The event that the notice reports.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The medium of the track that played was removed.
    case mediumGone
    /// A medium with music does not answer.
    case mediumSilent
    /// The output is missing, so nothing can be heard.
    case outputGone
    case outputBack
    /// The named file or thing cannot be played.
    case cannotPlay
    /// The storage is being checked. Until the next start it is in memory.
    case storageChecking
    /// The check has ended. The storage is used from the next start on.
    case storageChecked
    case storageRepaired
    /// The storage cannot be written, so changes are lost when the power is switched off.
    case storageReadOnly
    /// The storage cannot be written, and stored data cannot be read.
    case storageMissing

    /// The kinds of notices that are valid until the next start, the most important first. When a
    /// surface connects, it shows one such notice until the notice is touched.
    package static let ofStorage: [Kind] = [
      .storageMissing, .storageReadOnly, .storageChecking, .storageChecked, .storageRepaired,
    ]
  }

  package let kind: Kind
  /// The object of the notice, for example the name of a file. It may be empty.
  package let about: String

  /// True if the notice stays until it is touched.
  package var isStanding: Bool { Kind.ofStorage.contains(kind) }

  /// Memberwise initializer.
  package init(_ kind: Kind, about: String = "") {
    self.kind = kind
    self.about = about
  }
}
