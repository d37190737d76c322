/// The candidate that somebody meant who wrote `word`, if one is near enough; of equals the first.
/// Near is one slip for up to four letters, else two. Any thread.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  // Nobody slips a hundred letters; the table would be large.
  guard word.utf8.count <= 100 else { return nil }
  let limit = word.utf8.count <= 4 ? 1 : 2
  let known = candidates.map { (name: $0, slips: slips(word, $0)) }.filter { $0.slips <= limit }
  return known.min { $0.slips < $1.slips }?.name
}

/// The number of letters to insert, delete, replace, or swap with the next one, to make `b` from
/// `a` (Damerau's distance, each letter touched once).
func slips(_ a: String, _ b: String) -> Int {
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
