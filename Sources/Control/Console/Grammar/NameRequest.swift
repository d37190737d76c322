package import LibraryModel

/// A request for the names of the library, or of settings, that can complete a word. The names begin with a given text.
package struct NameRequest: Hashable, Sendable {
  /// The kind of the requested names.
  package enum Kind: Hashable, Sendable {
    /// Names of music: artists, albums, songs and playlists.
    case music
    /// The entries of a list of the library.
    case entries(LibraryNode)
    /// The playlists of the unit.
    case ownPlaylists
    /// Paths of folders. Each path begins with the name of a volume.
    case folders
    /// The volumes and the phones.
    case sources
    /// The keys of the settings that the driver can change.
    case settings
    /// The keys of all settings.
    case allSettings
    /// The services of the image.
    case services
    /// The sticks that are mounted.
    case sticks
    /// The phones.
    case phones
    /// The values of a setting.
    case values(setting: String)

    /// True if the console knows the names without the daemon.
    package var needsNoDaemon: Bool { [.allSettings, .services, .sticks].contains(self) }
  }

  /// The kind of the requested names.
  package let kind: Kind
  /// The beginning of the names. Case and the accents of Latin letters are ignored.
  package let beginning: String
  /// True if the name must be one word of the input line, so that each space in the name needs a backslash.
  let isOneWord: Bool

  /// Creates a request. By default, the name can consist of several words of the input line.
  package init(_ kind: Kind, _ beginning: String, isOneWord: Bool = false) {
    self.kind = kind
    self.beginning = beginning
    self.isOneWord = isOneWord
  }

  /// True if a name begins with ``beginning``.
  package func matches(_ name: String) -> Bool {
    var rest = name[...]
    for character in beginning {
      guard let other = rest.popFirst(), Self.areEqual(character, other) else { return false }
    }
    return true
  }

  private static func areEqual(_ one: Character, _ other: Character) -> Bool {
    if one == other || one.lowercased() == other.lowercased() { return true }
    // An accented Latin letter counts as equal to each ASCII letter. An exact comparison would need Foundation. For
    // names that the library's search has found, this comparison is sufficient.
    return one.isASCII && one.isLetter && other.isAccentedLatin
      || other.isASCII && other.isLetter && one.isAccentedLatin
  }
}

extension Character {
  fileprivate var isAccentedLatin: Bool {
    guard let first = unicodeScalars.first?.value else { return false }
    return (0xC0...0x24F).contains(first) || (0x1E00...0x1EFF).contains(first)
      || unicodeScalars.count > 1 && isLetter && first < 0x80
  }
}

/// The answer to a ``NameRequest``.
package struct NameAnswer: Equatable, Sendable {
  /// The names, without duplicates.
  package var names: [String]
  /// False if further names possibly exist.
  package var isComplete: Bool

  /// Creates an answer. By default, it contains no names.
  package init(names: [String] = [], isComplete: Bool = true) {
    self.names = names
    self.isComplete = isComplete
  }
}
