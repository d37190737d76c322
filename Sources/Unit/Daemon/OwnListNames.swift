internal import LibraryModel
internal import UnitState

// The headings of the unit's own playlists, and searches for their names.

/// The headings under which the unit's own playlists are. They come before the letters of the library, because
/// these lists are the first rows.
enum OwnListHeading {
  /// The heading of all lists of the unit. A longer heading is followed by the first letters of names.
  static let all = "★"
  private static let maximumLetters = 3

  /// True if the heading is one of the unit's lists.
  static func isOwn(_ heading: String) -> Bool { heading.hasPrefix(all) }

  /// True if the list is under the heading.
  static func covers(_ heading: String, _ name: PlaylistName) -> Bool {
    key(name).hasPrefix(heading)
  }

  /// A name that is shorter than a heading is filled with spaces, so that each list is under exactly one of the
  /// longer headings.
  private static func key(_ name: PlaylistName) -> String {
    all + name.text.uppercased() + String(repeating: " ", count: maximumLetters)
  }

  /// The headings that are one letter longer. Empty if there are none.
  static func groups(_ names: [PlaylistName], under heading: String) -> [LetterGroup] {
    let letters = heading.count - all.count
    guard letters < maximumLetters else { return [] }
    var groups: [LetterGroup] = []
    for name in names where covers(heading, name) {
      let longer = String(key(name).prefix(heading.count + 1))
      if let place = groups.firstIndex(where: { $0.heading == longer }) {
        groups[place].count += 1
      } else {
        groups.append(LetterGroup(heading: longer, count: 1))
      }
    }
    return groups
  }
}

/// Words or keys, each of which begins a word of a name.
struct OwnListQuery {
  private let words: [String]
  private let isByKeys: Bool

  init(_ request: SearchRequest) {
    isByKeys = request.isByKeys
    words =
      request.isByKeys
      ? request.query.split { $0 == "0" || $0 == " " }.map(String.init)
      : Self.words(request.query)
  }

  static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// True if the name has all words of the query.
  func matches(_ name: PlaylistName) -> Bool {
    let names = Self.words(name.text)
    return !words.isEmpty
      && words.allSatisfy { word in
        names.contains { name in
          isByKeys ? Self.digits(name).hasPrefix(word) : Self.matches(word, name)
        }
      }
  }

  /// Han, Kana and Hangul have no spaces between words.
  private static func matches(_ word: String, _ name: String) -> Bool {
    guard let first = word.unicodeScalars.first, first.value >= 0x2E80 else {
      return name.hasPrefix(word)
    }
    // `contains` with a text would link the library of regular expressions, which has 2 MB.
    let word = word.utf8
    return name.utf8.indices.contains { name.utf8[$0...].starts(with: word) }
  }

  private static let keys = Array("22233344455566677778889999")

  /// The keys of a word. A letter that is on no key ends it.
  private static func digits(_ word: String) -> String {
    var digits = ""
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digits.append(keys[Int(byte) - 97])
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Character(.init(byte)))
      default: return digits
      }
    }
    return digits
  }
}
