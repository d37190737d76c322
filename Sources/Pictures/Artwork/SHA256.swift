/// SHA-256 (FIPS 180-4, section 6.2) of bytes that arrive in pieces. It is implemented here because the code is short.
/// Debian's libcrypto would be a dependency of 5 MB for one function.
struct SHA256 {
  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [64 of UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  /// The initial hash value (5.3.3).
  private var state: [8 of UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  /// The bytes that were added after the last whole block of 64 bytes.
  private var rest: [UInt8] = []
  private var byteCount = 0

  /// Adds bytes. The sizes of the pieces do not change the hash.
  mutating func add(_ piece: UnsafeRawBufferPointer) {
    byteCount += piece.count
    let missing = rest.isEmpty ? 0 : min(64 - rest.count, piece.count)
    rest += piece[..<missing]
    if rest.count == 64 {
      rest.withUnsafeBytes { Self.compress($0, into: &state) }
      rest = []
    }
    let whole = missing + (piece.count - missing) / 64 * 64
    Self.compress(UnsafeRawBufferPointer(rebasing: piece[missing..<whole]), into: &state)
    rest += piece[whole...]
  }

  /// The hash of all bytes, as 32 bytes.
  func hash() -> [UInt8] {
    // Padding (5.1.1): a one bit, zero bits, and the length in bits, up to a whole block.
    var tail = rest + [0x80]
    tail += [UInt8](repeating: 0, count: (tail.count <= 56 ? 56 : 120) - tail.count)
    let bits = UInt64(byteCount) * 8
    tail += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    var state = state
    tail.withUnsafeBytes { Self.compress($0, into: &state) }
    return state.indices.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: state[word] >> UInt32(24 - 8 * $0)) }
    }
  }

  /// The hash computation of 6.2.2, for each block of 64 bytes.
  private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [8 of UInt32]) {
    let constants = constants
    var schedule: [64 of UInt32] = .init(repeating: 0)
    for block in stride(from: 0, to: blocks.count, by: 64) {
      for t in 0..<16 {
        schedule[t] = UInt32(
          bigEndian: blocks.loadUnaligned(fromByteOffset: block + 4 * t, as: UInt32.self))
      }
      for t in 16..<64 {
        let x = schedule[t - 15]
        let y = schedule[t - 2]
        let small0 = rotated(x, 7) ^ rotated(x, 18) ^ x >> 3
        let small1 = rotated(y, 17) ^ rotated(y, 19) ^ y >> 10
        schedule[t] = schedule[t - 16] &+ small0 &+ schedule[t - 7] &+ small1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for t in 0..<64 {
        let large1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        let choice = e & f ^ ~e & g
        let first = h &+ large1 &+ choice &+ constants[t] &+ schedule[t]
        let large0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        let majority = a & b ^ a & c ^ b & c
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ large0 &+ majority)
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
    }
  }

  private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }
}
