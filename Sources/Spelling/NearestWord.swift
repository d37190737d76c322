/// The candidate that somebody meant who wrote `word`: the one with the smallest edit distance, if
/// that is at most 2; of equals the first. Any thread.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  let known = candidates.lazy
    // A word that is longer by more cannot be near: so the time does not grow with what was written.
    .filter { abs($0.utf8.count - word.utf8.count) <= farthest }
    .map { (name: $0, distance: editDistance(word, $0)) }
    .filter { $0.distance <= farthest }
  return known.min { $0.distance < $1.distance }?.name
}

private let farthest = 2

/// The number of bytes to insert, delete or replace to make `b` from `a` (Levenshtein).
private func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.utf8), Array(b.utf8))
  /// Distances from the part of `a` seen so far to each beginning of `b`.
  var row = Array(0...b.count)
  for i in a.indices {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let replaced = diagonal + (a[i] == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
