/// Ids that are computed from names.
package enum ContentID {
  /// The id of these parts: FNV-1a with 64 bits, without the sign. Two ids of 100 000 are equal by chance
  /// once in 10⁹ libraries.
  package static func of(_ parts: [[UInt8]]) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for part in parts {
      part.forEach(add)
      // 0xFF is in no UTF-8, so it separates two parts.
      add(0xFF)
    }
    return max(1, Int64(hash & UInt64(Int64.max)))
  }

  /// The id of these texts.
  static func of(_ parts: String...) -> Int64 { of(parts.map { Array($0.utf8) }) }
}
