/// The candidate with the smallest edit distance from `word`. Nil if this distance is greater than
/// 1 for a word of up to four bytes, or greater than 2 for a longer word. If several candidates
/// have the same distance, the first of them is returned. This function can be called on any
/// thread.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  // A word of more than 100 bytes is not a typing error, and its table of distances would be large.
  guard word.utf8.count <= 100 else { return nil }
  let limit = word.utf8.count <= 4 ? 1 : 2
  let known = candidates.map { (name: $0, editDistance: editDistance(word, $0)) }.filter {
    $0.editDistance <= limit
  }
  return known.min { $0.editDistance < $1.editDistance }?.name
}

/// The smallest number of edits that change `a` into `b`. An edit inserts, deletes or replaces one
/// byte, or swaps two adjacent bytes (optimal string alignment: Damerau's distance with each byte
/// edited at most once).
func editDistance(_ a: String, _ b: String) -> Int {
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
