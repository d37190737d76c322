import Testing

@testable import AudioCodecs

/// ``FLACNumbering`` computes the position of each block: it counts the decoded frames, and takes from the numbers in
/// the headers of the FLAC frames how many frames are missing.
@Suite struct FLACNumberingTests {
  private func header(number: UInt8, isVariable: Bool = false) throws -> FLACFrameHeader {
    // 4096 frames, 44100 Hz, stereo, 16 bits.
    let bytes: [UInt8] = [0xFF, isVariable ? 0xF9 : 0xF8, 0xC9, 0x18, number]
    return try #require(
      (bytes + [GeneratedDamage.crc8(bytes)]).withUnsafeBytes { FLACFrameHeader($0) })
  }

  @Test func take_blocksInOrder_areContiguous() throws {
    var numbering = FLACNumbering(first: try header(number: 0))
    #expect(numbering.count(0, size: 4096, total: nil) == (0, 0))
    #expect(numbering.count(1, size: 4096, total: nil) == (4096, 0))
    #expect(numbering.count(2, size: 100, total: nil) == (8192, 0))
    #expect(numbering.next == 8292)
    #expect(numbering.isReliable && numbering.isCertain)
  }

  @Test func take_missingBlocks_returnsTheNumberOfTheirFrames() throws {
    var numbering = FLACNumbering(first: try header(number: 7))
    #expect(numbering.count(7, size: 4096, total: nil) == (0, 0))
    #expect(numbering.count(10, size: 4096, total: nil) == (3 * 4096, 2 * 4096))
    #expect(numbering.position(of: 11) == 16_384)
    #expect(numbering.firstFrame == 7 * 4096)
  }

  @Test func take_variableBlocks_countsFrames() throws {
    var numbering = FLACNumbering(first: try header(number: 0, isVariable: true))
    #expect(numbering.count(0, size: 4096, total: nil) == (0, 0))
    #expect(numbering.count(4096, size: 100, total: nil) == (4096, 0))
    #expect(numbering.count(5000, size: 100, total: nil) == (5000, 804))
  }

  /// In an old stream, the numbers in the headers of FLAC frames count frames and not blocks, but no bit in the header
  /// says so: the bit was added to the format later.
  @Test func take_undeclaredFrameNumbers_areDetected() throws {
    var numbering = FLACNumbering(first: try header(number: 0))
    #expect(numbering.count(0, size: 4096, total: nil) == (0, 0))
    #expect(numbering.count(4096, size: 1024, total: nil) == (4096, 0))
    #expect(numbering.count(5120, size: 4096, total: nil) == (5120, 0))
    #expect(numbering.position(of: 9216) == 9216)
  }

  @Test func take_numbersRestart_continuesCounting() throws {
    var numbering = FLACNumbering(first: try header(number: 0))
    for number in 0..<3 { _ = numbering.count(Int64(number), size: 4096, total: nil) }
    #expect(numbering.count(0, size: 4096, total: nil) == (3 * 4096, 0))
    #expect(!numbering.isReliable)
    #expect(numbering.position(of: 1) == nil)
  }

  @Test func take_implausibleNumber_isIgnored() throws {
    for total in [Int64(100_000), nil] {
      var numbering = FLACNumbering(first: try header(number: 0))
      _ = numbering.count(0, size: 4096, total: total)
      #expect(numbering.count(1 << 30, size: 4096, total: total) == (4096, 0))
      #expect(!numbering.isReliable)
    }
  }

  @Test func take_afterAJump_usesThePositionOfTheNumber() throws {
    var numbering = FLACNumbering(first: try header(number: 2))
    numbering.jump()
    #expect(!numbering.knowsPosition)
    #expect(numbering.count(12, size: 4096, total: nil) == (10 * 4096, 0))
    #expect(numbering.count(13, size: 4096, total: nil) == (11 * 4096, 0))
  }
}
