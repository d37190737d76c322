internal import Files

/// Ids that are computed from names.
package enum ContentID {
  /// The id of these parts: their hash without the sign. Two ids of 100 000 are equal by chance once in 10⁹ libraries.
  package static func of(_ parts: [[UInt8]]) -> Int64 {
    var hash = StableHash()
    for part in parts {
      hash.add(part)
      hash.separate()
    }
    return max(1, Int64(hash.value & UInt64(Int64.max)))
  }

  /// The id of these texts.
  static func of(_ parts: String...) -> Int64 { of(parts.map { Array($0.utf8) }) }
}
