/// The candidate with the smallest edit distance from `word`. Nil if this distance is greater than
/// 1 for a word of up to four characters, or greater than 2 for a longer word. If several candidates
/// have the same distance, the first of them is returned. This function can be called on any
/// thread.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  // A word of more than 100 bytes is not a typing error, and its table of distances would be large.
  guard word.utf8.count <= 100 else { return nil }
  let limit = word.unicodeScalars.count <= 4 ? 1 : 2
  var distance = EditDistance(from: word)
  var nearest: (name: String, edits: Int)?
  for name in candidates {
    guard let edits = distance.distance(to: name, limit: limit),
      edits < nearest?.edits ?? .max
    else { continue }
    nearest = (name, edits)
  }
  return nearest?.name
}
