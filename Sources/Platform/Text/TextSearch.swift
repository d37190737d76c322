extension StringProtocol {
  /// True if the bytes of `part` occur in this text. The standard library's `contains` with a text would add the parser
  /// of regular expressions to the program, which has more than a megabyte.
  package func includes(_ part: some StringProtocol) -> Bool {
    let wanted = Array(part.utf8)
    var rest = Array(utf8)[...]
    while rest.count >= wanted.count {
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
