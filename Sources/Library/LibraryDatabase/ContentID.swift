internal import Files

/// Computes the ids of database rows from names.
package enum ContentID {
  /// The id for these parts: their hash without the sign bit. With 100 000 ids, the chance that two are equal is 10⁻⁹.
  package static func of(_ parts: [[UInt8]]) -> Int64 {
    var hash = StableHash()
    for part in parts {
      hash.add(part)
      hash.separate()
    }
    return max(1, Int64(hash.value & UInt64(Int64.max)))
  }

  /// The id for these texts.
  static func of(_ parts: String...) -> Int64 { of(parts.map { Array($0.utf8) }) }
}
