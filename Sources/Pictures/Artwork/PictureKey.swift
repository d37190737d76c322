/// Identifies a picture by the SHA-256 of its bytes. Pictures with equal bytes have equal keys, even in different
/// files.
public struct PictureKey: Hashable, Sendable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public let hex: String

  /// The key of a picture whose bytes were added to `hash`.
  init(_ hash: SHA256) {
    let digits = Array("0123456789abcdef".utf8)
    hex = String(
      decoding: hash.hash().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// Computes the key of bytes in memory.
  init(of bytes: [UInt8]) {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.add($0) }
    self.init(hash)
  }

  /// Parses a key. Nil if the text is not a key.
  init?(hex: some StringProtocol) {
    guard hex.utf8.count == 64,
      hex.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.hex = String(hex)
  }

  /// A part of the key, as a number that is not negative. This part is long enough to identify a picture within one
  /// head unit.
  public var number: Int64 { Int64((UInt64(hex.prefix(16), radix: 16) ?? 0) & UInt64(Int64.max)) }

  public var description: String { hex }
}
