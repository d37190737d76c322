/// Which word may have been meant.
package enum Suggestion {
  /// The candidate that is nearest to `word`, if it is near enough; of equals the first.
  ///
  /// - Parameter limit: how many slips are near enough; nil is one for up to four letters, else two.
  package static func nearest(
    to word: String, among candidates: [String], limit: Int? = nil
  ) -> String? {
    // Nobody slips a hundred letters; the table would be large.
    guard word.utf8.count <= 100 else { return nil }
    let limit = limit ?? (word.utf8.count <= 4 ? 1 : 2)
    return
      candidates
      .map { (name: $0, distance: distance(word, $0)) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }?.name
  }

  /// The number of letters to insert, delete, replace, or swap with the next one, to make `b` from
  /// `a` (Damerau's distance, each letter touched once).
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
