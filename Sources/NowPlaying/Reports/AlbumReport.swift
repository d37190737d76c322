package import NowPlaying

/// The album that plays.
package struct AlbumReport: Hashable, Sendable {
  /// Maximum number of tracks in a report.
  package static let limit = 200

  /// The title of the album; the name of the folder if the track has no album.
  package let title: String
  /// The tracks in the order of the album. The item of the track that plays has the same identity as the content.
  package let items: [UpNextItem]

  /// Creates a report of the first ``limit`` tracks.
  package init(title: String, items: [UpNextItem]) {
    self.title = title
    self.items = Array(items.prefix(Self.limit))
  }
}

/// A message for the people in the car. Each surface has its own text for each kind of notice.
package struct UnitNotice: Hashable, Sendable {
  /// The event that the notice reports.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The medium of the current track was removed.
    case mediumGone
    /// A medium with music does not answer.
    case mediumSilent
    /// A medium has the file system `about`, which the unit does not read.
    case mediumUnsupported
    /// A medium has no file system.
    case mediumUnformatted
    /// A medium has a file system that cannot be mounted.
    case mediumDamaged
    /// A medium has errors when it is read.
    case mediumUnreadable
    /// The output cannot be used, so nothing can be heard.
    case outputGone
    case outputBack
    /// The file or other object with the name `about` cannot be played.
    case cannotPlay
    /// The list that a person has chosen cannot be played.
    case listFailed
    /// Files of the medium with the name `about` cannot be played. `files` contains their number and formats.
    case filesUnplayable
    /// The medium with the name `about` has no file that can be played.
    case noMusic
    /// A line of the configuration was ignored. `about` is the file and the number of the line, such as
    /// `autoharp.conf:12`.
    case configurationWrong
    /// The unit waits for the phone with the name `about`: this phone played when the power was cut, or a person has
    /// chosen this phone.
    case phoneAwaited
    /// The unit has waited for the phone with the name `about`, but the phone has not connected.
    case phoneAbsent
    /// The medium with the name `about` contains music, and nothing else can play.
    case stickReady
    /// The last starts of the daemon failed. So the daemon plays nothing by itself, and starts neither the library nor
    /// the playlists. A person can request a normal start.
    case safeMode
    /// The storage is being checked. Until the machine starts again, settings and state are kept in memory only.
    case storageChecking
    /// The check has ended. The unit uses the storage again after the next start of the machine.
    case storageChecked
    case storageRepaired
    /// The personal data was erased at the start.
    case dataErased
    /// Some personal data could not be erased. The unit tries again at the next start.
    case dataNotErased
    /// The storage cannot be written, so changes are lost when the power is switched off.
    case storageReadOnly
    /// The storage cannot be written, and stored data cannot be read.
    case storageMissing

    /// The kinds of notices that are valid until the machine starts again, in the order of their importance. When a
    /// surface connects, the surface shows the most important of these notices until a person touches the notice.
    package static let ofStorage: [Kind] = [
      .storageMissing, .storageReadOnly, .storageChecking, .dataNotErased, .storageChecked,
      .storageRepaired, .dataErased,
    ]

    /// The kinds of notices about a medium that cannot be used, in the order of their importance.
    package static let ofMedia: [Kind] = [
      .mediumSilent, .mediumUnreadable, .mediumDamaged, .mediumUnsupported, .mediumUnformatted,
    ]
  }

  package let kind: Kind
  /// The object of the notice, for example the name of a file. Empty if the notice has no object.
  package let about: String
  /// The files that cannot be played. Nil if the notice is not about such files.
  package let files: UnplayableFormats?

  /// True if the notice stays until a person touches it.
  package var isStanding: Bool { kind == .safeMode || Kind.ofStorage.contains(kind) }

  package init(_ kind: Kind, about: String = "", files: UnplayableFormats? = nil) {
    self.kind = kind
    self.about = about
    self.files = files
  }
}

/// The files of one medium that cannot be played.
package struct UnplayableFormats: Hashable, Sendable {
  /// The number of files.
  package let count: Int
  /// The names of the formats that are not supported, most frequent first. The names are the same in all languages.
  package let formats: [String]

  package init(count: Int, formats: [String]) {
    self.count = count
    self.formats = formats
  }
}
