/// The row that a person means with the words of a search.
package enum BestHit: Equatable, Sendable {
  case none
  case one(LibraryRow)
  /// Rows that fit equally well.
  case several([LibraryRow])

  /// Names that are equal to the words come first, then names that begin with them, then others. An artist comes before
  /// an album, and an album before a song of the same name.
  package static func of(_ words: String, in rows: [LibraryRow]) -> BestHit {
    let rows = rows.filter { $0.isPlayable || $0.isAbsent }
    let words = words.lowercased()
    let fits: [(LibraryRow) -> Bool] = [
      { $0.title.lowercased() == words }, { $0.title.lowercased().hasPrefix(words) },
    ]
    for (index, fit) in fits.enumerated() {
      let fitting = rows.filter(fit)
      guard let first = fitting.first else { continue }
      // Only equal names are hard to tell apart. Songs of one name are often the same song.
      let equal = fitting.filter { $0.kind == first.kind && $0.isAbsent == first.isAbsent }
      return index == 0 && equal.count > 1 && first.kind != .song ? .several(equal) : .one(first)
    }
    return rows.first.map { .one($0) } ?? .none
  }
}
