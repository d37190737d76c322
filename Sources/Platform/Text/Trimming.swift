/// The text without white space at its beginning and at its end.
package func trimmed(_ text: String) -> String {
  let ends = [text.utf8.first, text.utf8.last]
  // Most texts begin and end with a visible ASCII character, so they are returned unchanged.
  if ends.allSatisfy({ $0.map { (0x21...0x7E).contains($0) } ?? false }) { return text }
  let kept = text.drop { $0.isWhitespace }
  return kept.lastIndex { !$0.isWhitespace }.map { String(kept[...$0]) } ?? ""
}
