extension Collection<UInt8> {
  /// The place of the first occurrence of a text. Nil if there is none.
  package func firstRange(ofText part: some StringProtocol) -> Range<Index>? {
    let wanted = Array(part.utf8)
    var start = startIndex
    while !self[start...].starts(with: wanted) {
      if start == endIndex { return nil }
      formIndex(after: &start)
    }
    return start..<index(start, offsetBy: wanted.count)
  }
}

extension StringProtocol {
  /// True if the bytes of `part` occur in this text. The standard library's `contains` with a text would add the parser
  /// of regular expressions to the program, which has more than a megabyte.
  package func includes(_ part: some StringProtocol) -> Bool {
    utf8.firstRange(ofText: part) != nil
  }
}
