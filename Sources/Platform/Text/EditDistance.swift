/// Compares a word with other words by the number of edits between them. An edit inserts, deletes or replaces one
/// character, or swaps two adjacent characters (optimal string alignment: Damerau's distance with each character edited
/// at most once). A character is a Unicode scalar.
///
/// The memory of a comparison is used again for the next comparison, so comparing with many words is fast.
package struct EditDistance {
  private let word: [Unicode.Scalar]
  private var other: [Unicode.Scalar] = []
  /// The last three rows of the table of distances.
  private var rows: [[Int]] = [[], [], []]

  /// - Parameter word: the word that is compared with other words.
  package init(from word: String) { self.word = Array(word.unicodeScalars) }

  /// The smallest number of edits that change the word into `text`. Nil if this number is greater than `limit`.
  package mutating func distance(to text: String, limit: Int) -> Int? {
    // A character has at most four bytes in UTF-8, so a text with more bytes has too many characters.
    guard text.utf8.count <= 4 * (word.count + limit) else { return nil }
    other.removeAll(keepingCapacity: true)
    other.append(contentsOf: text.unicodeScalars)
    guard abs(word.count - other.count) <= limit else { return nil }
    var (before, last, row) = (0, 1, 2)
    rows[last].removeAll(keepingCapacity: true)
    rows[last].append(contentsOf: 0...other.count)
    for i in word.indices {
      rows[row].removeAll(keepingCapacity: true)
      rows[row].append(i + 1)
      var smallest = i + 1
      for j in other.indices {
        var best = min(
          rows[last][j] + (word[i] == other[j] ? 0 : 1), rows[last][j + 1] + 1, rows[row][j] + 1)
        if i > 0, j > 0, word[i] == other[j - 1], word[i - 1] == other[j] {
          best = min(best, rows[before][j - 1] + 1)
        }
        rows[row].append(best)
        smallest = min(smallest, best)
      }
      // The next row can also continue from the row before this row, by a swap of two characters. The distances of that
      // row are at most one lower than the distances of this row. So the search ends only if the smallest distance is
      // above `limit + 1`.
      guard smallest <= limit + 1 else { return nil }
      (before, last, row) = (last, row, before)
    }
    let distance = rows[last][other.count]
    return distance <= limit ? distance : nil
  }
}

/// A word of a name, as a person has typed it, possibly with typing errors.
package struct WrittenWord {
  /// The text.
  package let text: String
  /// Maximum number of edits between this word and a similar word. The maximum is 0 for a short word, because nearly
  /// every other short word would be similar.
  package let maximumEdits: Int
  private var distance: EditDistance

  /// - Parameter text: a word without case and accents (a *folded* word).
  package init(_ text: String) {
    self.text = text
    distance = EditDistance(from: text)
    // A word of more than 100 bytes does not come from a typing error.
    maximumEdits =
      switch text.unicodeScalars.count {
      case ..<3: 0
      case 3...5: 1
      default: text.utf8.count <= 100 ? 2 : 0
      }
  }

  /// The number of edits to another word: 0 if the other word begins with this word. Nil if the other word is not
  /// similar.
  package mutating func edits(to other: String) -> Int? {
    if other.utf8.starts(with: text.utf8) { return 0 }
    return maximumEdits == 0 ? nil : distance.distance(to: other, limit: maximumEdits)
  }
}

/// The candidate with the smallest edit distance from `word`. Nil if this distance is greater than 1 for a word of up
/// to four characters, or greater than 2 for a longer word. If several candidates have the same distance, the first of
/// these candidates is returned. This function can be called on any thread.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  // A word of more than 100 bytes does not come from a typing error, and its table of distances would be large.
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
