/// The row that a user most probably means with the words of a search.
package enum BestHit: Equatable, Sendable {
  case none
  case one(LibraryRow)
  /// Rows that match equally well.
  case several([LibraryRow])

  /// Chooses among the rows that a search has found. A name that is equal to the words is the best match, then a name
  /// that begins with the words, then the first row. Among equal matches, the first row is used: `rows` contains
  /// artists before albums, and albums before songs.
  package static func of(_ words: String, in rows: [LibraryRow]) -> BestHit {
    let rows = rows.filter { $0.isPlayable || $0.isAbsent }
    let words = words.lowercased()
    let fits: [(LibraryRow) -> Bool] = [
      { $0.title.lowercased() == words }, { $0.title.lowercased().hasPrefix(words) },
    ]
    for (index, fit) in fits.enumerated() {
      let fitting = rows.filter(fit)
      guard let first = fitting.first else { continue }
      // Several rows are returned only if their names are equal to the words. Songs are an exception, because songs
      // with the same name are often the same song.
      let equal = fitting.filter { $0.kind == first.kind && $0.isAbsent == first.isAbsent }
      return index == 0 && equal.count > 1 && first.kind != .song ? .several(equal) : .one(first)
    }
    return rows.first.map { .one($0) } ?? .none
  }
}
