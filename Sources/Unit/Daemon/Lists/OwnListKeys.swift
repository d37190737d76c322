internal import LibraryModel
internal import NameKeys
internal import UnitState

/// The key by which the playlists of the unit are sorted. The favourites and the bookmarks come first. The other
/// playlists are sorted like the playlists of the library.
struct OwnListKey: Comparable {
  let name: PlaylistName
  /// The sort key of the name. Nil for the favourites and the bookmarks, because the screen shows their names in its
  /// own language.
  private let key: SortKey?

  /// - Parameter articles: the words that the library ignores when it sorts names.
  init(_ name: PlaylistName, _ articles: Articles) {
    self.name = name
    key =
      name == .favourites || name == .bookmarks
      ? nil : SortKey(FoldedName(name.text), articles: articles)
  }

  static func < (left: OwnListKey, right: OwnListKey) -> Bool {
    guard let leftKey = left.key, let rightKey = right.key else {
      return left.key == nil && (right.key != nil || left.name < right.name)
    }
    return (leftKey, left.name) < (rightKey, right.name)
  }

  // MARK: Headings

  /// The heading of the favourites and the bookmarks. This heading comes before all letters.
  static let star = "★"

  /// The heading of the playlist, with `length` letters.
  func heading(length: Int) -> String { key?.heading(length: length) ?? Self.star }

  /// True if the playlist is under the heading `letters`.
  func isUnder(_ letters: String) -> Bool {
    heading(length: letters.unicodeScalars.count) == letters
  }
}

/// Combines the headings of the unit's playlists with the headings of the library's playlists.
enum PlaylistHeadings {
  /// Returns the headings of playlists, each with its number of playlists. `keys` must be sorted.
  static func groups(_ keys: [OwnListKey], length: Int) -> [LetterGroup] {
    var groups: [LetterGroup] = []
    for key in keys {
      let heading = key.heading(length: length)
      if groups.last?.heading == heading {
        groups[groups.count - 1].count += 1
      } else {
        groups.append(LetterGroup(heading: heading, count: 1))
      }
    }
    return groups
  }

  /// Merges the headings of the unit's playlists and of the library's playlists. Both arrays must be sorted.
  static func merged(_ own: [LetterGroup], _ library: [LetterGroup]) -> [LetterGroup] {
    var merged: [LetterGroup] = []
    var others = library[...]
    for group in own {
      while let other = others.first, group.heading != OwnListKey.star,
        other.heading != group.heading,
        SortKey(ofHeading: other.heading) < SortKey(ofHeading: group.heading)
      {
        merged.append(others.removeFirst())
      }
      var group = group
      if let other = others.first, other.heading == group.heading {
        group.count += other.count
        others.removeFirst()
      }
      merged.append(group)
    }
    return merged + others
  }
}

/// The playlists under one heading: first the rows of the unit, then the rows of the library.
struct PlaylistPart {
  /// The rows of the unit's playlists.
  var rows: [OwnListRow]
  /// The heading with which the library is asked for its rows. Nil if the part contains all rows of the library.
  var heading: String?
  /// False if the part contains no rows of the library.
  var hasLibrary = true

  /// - Parameter text: the heading; nil for all playlists.
  init(_ rows: [OwnListRow], under text: String?) {
    self.rows = rows
    guard let text else { return }
    let heading = ListHeading(text)
    guard let letters = heading.letters else {
      self.rows = []
      hasLibrary = false
      return
    }
    self.rows.removeAll { !$0.key.isUnder(letters) }
    hasLibrary = letters != OwnListKey.star
    self.heading = letters
    guard let range = heading.range?.rows else { return }
    let count = self.rows.count
    self.rows = Array(self.rows[range.clamped(to: 0..<count)])
    hasLibrary = hasLibrary && range.upperBound > count
    if hasLibrary {
      let others = RowRange(max(0, range.lowerBound - count)..<range.upperBound - count)
      self.heading = ListHeading(letters: letters, range: others).text
    }
  }
}
