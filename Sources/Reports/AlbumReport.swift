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

/// Something that passes, and that people in the car should know; surfaces have the words.
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
  }

  package let kind: Kind
  /// A file's name, for example; may be empty.
  package let about: String

  /// Joins both.
  package init(_ kind: Kind, about: String = "") {
    self.kind = kind
    self.about = about
  }
}
