import TestKit
import Testing

@testable import AudioCodecs

/// Tests that the parameters in a FLAC frame header are equal to the parameters of the encoder, and that bytes that are
/// not a valid header are rejected.
@Suite struct FLACFrameHeaderTests {
  private func headers(_ bytes: [UInt8]) -> [FLACFrameHeader] {
    bytes.withUnsafeBytes { buffer in
      var rest = UnsafeRawBufferPointer(buffer)
      var found: [FLACFrameHeader] = []
      while let (index, header) = FLACFrameHeader.first(in: rest) {
        found.append(header)
        rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
      }
      return found
    }
  }

  private func header(_ bytes: [UInt8]) -> FLACFrameHeader? {
    bytes.withUnsafeBytes { FLACFrameHeader($0) }
  }

  private func withChecksum(_ bytes: [UInt8]) -> [UInt8] { bytes + [GeneratedDamage.crc8(bytes)] }

  @Test(arguments: [(1, 16, 44_100, 4096), (2, 24, 96_000, 4608), (6, 16, 8000, 1000)])
  func read_headersOfFlac_haveItsOptions(channels: Int, bits: Int, rate: Int, blockSize: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let music = GeneratedMusic(
      channels: channels, bits: bits, rate: rate, frames: 5 * blockSize + 7)
    try music.flac(folder, "a.flac", ["--lax", "--no-padding", "--blocksize=\(blockSize)"])
    let found = headers(try folder.read("a.flac"))
    #expect(found.map(\.number) == [0, 1, 2, 3, 4, 5])
    #expect(found.map(\.blockSize) == [Int](repeating: blockSize, count: 5) + [7])
    #expect(found.allSatisfy { $0.channels == channels && !$0.isVariable })
    #expect(found.allSatisfy { $0.sampleRate == rate && $0.bitsPerSample == bits })
  }

  @Test func read_numberOfSevenBytes_countsFrames() throws {
    let bytes: [UInt8] = [0xFF, 0xF9, 0xC9, 0x18, 0xFE, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]
    let found = try #require(header(withChecksum(bytes)))
    #expect(found.isVariable)
    #expect(found.number == 1 << 36 - 1)
    // The number in a FLAC frame header can have seven bytes only if it counts frames. If it counts blocks, it has at
    // most six bytes.
    #expect(header(withChecksum([0xFF, 0xF8] + bytes[2...])) == nil)
  }

  @Test func read_rateInExtraBytes_isConvertedToHz() {
    func rate(_ code: UInt8, _ bytes: [UInt8]) -> Int? {
      header(withChecksum([0xFF, 0xF8, 0xC0 | code, 0x18, 0] + bytes))?.sampleRate
    }
    #expect(rate(12, [48]) == 48_000)
    #expect(rate(13, [0x12, 0x34]) == 0x1234)
    #expect(rate(14, [0xFF, 0xFF]) == 655_350)
    #expect(rate(0, []) == nil)
  }

  @Test func read_invalidHeader_isNil() {
    let good = withChecksum([0xFF, 0xF8, 0xC9, 0x18, 0x05])
    #expect(header(good) != nil)
    for length in 0..<good.count { #expect(header(Array(good[..<length])) == nil) }
    for (index, value) in [(0, 0xFE), (1, 0xFA), (2, 0x09), (2, 0xCF), (3, 0xB8), (3, 0x19)] {
      var bad = Array(good.dropLast())
      bad[index] = UInt8(value)
      #expect(header(withChecksum(bad)) == nil, "byte \(index) is \(value)")
    }
    #expect(header(Array(good.dropLast()) + [good[5] ^ 1]) == nil)
    // The number in the header is coded as in UTF-8. Here, its second byte is not a continuation byte.
    #expect(header(withChecksum([0xFF, 0xF8, 0xC9, 0x18, 0xC4, 0x05])) == nil)
  }
}
