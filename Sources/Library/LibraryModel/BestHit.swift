internal import NameKeys

/// The row that a user most probably means with the words of a search.
package enum BestHit: Equatable, Sendable {
  case none
  case one(LibraryRow)
  /// Rows that match equally well.
  case several([LibraryRow])

  /// Chooses among the rows that a search has found. A name that was typed in full is the best match, then a name that
  /// was typed in full except its article, then a name that begins with the words, then the first row. Among equal
  /// matches, the first row is used: `rows` contains artists before albums, and albums before songs.
  package static func of(_ words: String, in rows: [LibraryRow]) -> BestHit {
    let rows = rows.filter { $0.isPlayable || $0.isAbsent }
    let words = FoldedName(words)
    let fits: [(FoldedName) -> Bool] = [
      { WholeName($0).isEqual(to: words) },
      { WholeName(articles.removed(from: $0)).isEqual(to: words) },
      { WholeName($0).begins(with: words) },
    ]
    for (index, fit) in fits.enumerated() {
      let fitting = rows.filter { fit(FoldedName($0.title)) }
      guard let first = fitting.first else { continue }
      // Several rows are returned only if their names are equal to the words. Songs are an exception, because songs
      // with the same name are often the same song.
      let equal = fitting.filter { $0.kind == first.kind && $0.isAbsent == first.isAbsent }
      return index == 0 && equal.count > 1 && first.kind != .song ? .several(equal) : .one(first)
    }
    return rows.first.map { .one($0) } ?? .none
  }

  private static let articles = Articles(languages: ["en"])
}
