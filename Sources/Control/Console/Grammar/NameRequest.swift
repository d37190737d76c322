package import LibraryModel

/// A request for names of the library, or of settings, that begin with a text, to complete a word.
package struct NameRequest: Hashable, Sendable {
  /// Which names are allowed.
  package enum Kind: Hashable, Sendable {
    /// Names of music: artists, albums, songs and playlists.
    case music
    /// The entries of a list.
    case entries(LibraryNode)
    /// The playlists of the unit.
    case ownPlaylists
    /// Paths of folders, which begin with a volume.
    case folders
    /// The volumes and the phones.
    case sources
    /// The keys of the settings that the driver can change.
    case settings
    /// The values of a setting.
    case values(setting: String)
  }

  /// Which names are allowed.
  package let kind: Kind
  /// The beginning of the names. Case and the accents of Latin letters do not count.
  package let beginning: String
  /// True if the name must be one word of the line, so that spaces in it need a backslash.
  let isOneWord: Bool

  /// By default, the name may have several words.
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
    // Swift does not publish its tables of Unicode without Foundation. If the search has found a name, then an accented
    // Latin letter stands for a letter without accent.
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

/// Names of the library for a completion.
package struct NameAnswer: Equatable, Sendable {
  /// The names, without duplicates.
  package var names: [String]
  /// False if there may be further names.
  package var isComplete: Bool

  /// By default, there are no names.
  package init(names: [String] = [], isComplete: Bool = true) {
    self.names = names
    self.isComplete = isComplete
  }
}
