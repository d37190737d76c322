package import NowPlaying

/// The album that plays.
package struct AlbumReport: Hashable, Sendable {
  /// More tracks are not told.
  package static let limit = 200

  /// As its tags say.
  package let title: String
  /// In its order; what plays has the identity of the content.
  package let items: [UpNextItem]

  /// Cut at ``limit``.
  package init(title: String, items: [UpNextItem]) {
    self.title = title
    self.items = Array(items.prefix(Self.limit))
  }
}

/// Something that people in the car should know; surfaces have the words.
package struct UnitNotice: Hashable, Sendable {
  /// What has happened.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The medium of what played is not there any more.
    case mediumGone
    /// Nothing can be heard.
    case outputGone
    case outputBack
    /// What it is about cannot be played.
    case cannotPlay
    /// The storage is being checked, and is in memory meanwhile.
    case storageChecking
    /// That check has ended; the storage is used from the next start on.
    case storageChecked
    case storageRepaired
    /// What is new is lost with the power.
    case storageReadOnly
    /// The same, and what was stored cannot be read either.
    case storageMissing

    /// Those that hold for the whole start, the most important first. A surface shows one whenever it
    /// connects, until it is touched.
    package static let ofStorage: [Kind] = [
      .storageMissing, .storageReadOnly, .storageChecking, .storageChecked, .storageRepaired,
    ]
  }

  package let kind: Kind
  /// A file's name, for example; may be empty.
  package let about: String

  /// It is shown until it is touched, and does not pass by itself.
  package var isStanding: Bool { Kind.ofStorage.contains(kind) }

  /// Joins both.
  package init(_ kind: Kind, about: String = "") {
    self.kind = kind
    self.about = about
  }
}
