extension StringProtocol {
  /// True if the text is an identity that fits into the name of a file, a session and a page: 1 to 32 small letters,
  /// digits and `-`, beginning with a letter.
  public var isIdentifier: Bool {
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    let bytes = utf8
    return bytes.count <= 32 && bytes.first.map(isLetter) == true
      && bytes.allSatisfy {
        isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || $0 == UInt8(ascii: "-")
      }
  }
}
