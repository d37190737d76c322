import TestKit
import Testing

@testable import Artwork

@Suite struct PictureKeyTests {
  /// Examples from FIPS 180-4 and short messages from NIST.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func init_knownBytes_isTheirSHA256(text: String, hex: String) {
    #expect(PictureKey(of: Array(text.utf8)).hex == hex)
  }

  @Test func init_lengthsAroundABlock_equalSha256sum() throws {
    let folder = try TemporaryFolder()
    let lengths = Array(0...130)
    for length in lengths {
      try folder.write("\(length)", (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 73) })
    }
    let lines = String(
      decoding: try Tools.run("sha256sum", lengths.map(String.init), in: folder.url),
      as: UTF8.self
    ).split(separator: "\n")
    #expect(lines.count == lengths.count)
    for (length, line) in zip(lengths, lines) {
      #expect(line.prefix(64) == PictureKey(of: try folder.read("\(length)")).hex)
    }
  }

  @Test(arguments: [1, 2, 3])
  func add_piecesOfAnySize_haveTheHashOfTheWhole(seed: UInt64) {
    var random = SeededRandom(seed)
    for _ in 0..<200 {
      let count = Int.random(in: 0...500, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      var hash = SHA256()
      bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
          let piece = rest.prefix(Int.random(in: 0...150, using: &random))
          hash.add(UnsafeRawBufferPointer(rebasing: piece))
          rest = rest.dropFirst(piece.count)
        }
      }
      #expect(PictureKey(hash) == PictureKey(of: bytes), "seed \(seed), \(count) bytes")
    }
  }

  @Test func init_fileName_acceptsOnlyKeys() {
    let hex = String(repeating: "0a", count: 32)
    #expect(PictureKey(hex: hex)?.hex == hex)
    for name in [hex.uppercased(), String(hex.dropLast()), hex + "0", "", "g" + hex.dropFirst()] {
      #expect(PictureKey(hex: name) == nil)
    }
  }
}
