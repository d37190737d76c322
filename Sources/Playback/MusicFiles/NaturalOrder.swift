/// Compares file names in natural order. A sequence of digits is compared by its value. Upper-case and lower-case
/// letters count as equal. So `Track 2` comes before `track 10`.
public func naturallyPrecedes(_ left: String, _ right: String) -> Bool {
  NaturalKey(left) < NaturalKey(right)
}

/// A name together with its lower-case bytes, which are computed once for the many comparisons of a sort.
struct NaturalKey: Comparable {
  let name: String
  private let folded: [UInt8]

  /// An estimate of the memory of this key: the bytes of both texts, and 100 bytes for the `String`, the array and the
  /// headers of their allocations.
  var bytes: Int { name.utf8.count + folded.count + 100 }

  init(_ name: String) {
    self.name = name
    folded = Array(name.lowercased().utf8)
  }

  static func < (left: NaturalKey, right: NaturalKey) -> Bool {
    let a = left.folded
    let b = right.folded
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if isDigit(a[i]), isDigit(b[j]) {
        let x = digits(a, &i)
        let y = digits(b, &j)
        // Of two numbers without leading zeros, the longer one is larger. No value is computed, so nothing overflows.
        if x.count != y.count { return x.count < y.count }
        if x != y { return x.lexicographicallyPrecedes(y) }
      } else {
        if a[i] != b[j] { return a[i] < b[j] }
        i += 1
        j += 1
      }
    }
    if a.count - i != b.count - j { return a.count - i < b.count - j }
    // The names are equal except for case or leading zeros. Any order is correct here if it is always the same.
    return left.name < right.name
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

/// The digits from `index` on, without leading zeros. Moves `index` to the first byte after the digits.
private func digits(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
  while index < bytes.count, bytes[index] == 0x30 { index += 1 }
  let start = index
  while index < bytes.count, isDigit(bytes[index]) { index += 1 }
  return bytes[start..<index]
}
