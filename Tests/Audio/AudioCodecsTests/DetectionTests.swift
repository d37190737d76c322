import TestKit
import Testing

@testable import AudioCodecs

/// Tests that the format of a file is detected from its bytes.
@Suite struct DetectionTests {
  private func refusal(_ bytes: [UInt8]) -> DecodeError? {
    do {
      _ = try AudioFile(MemoryByteSource(bytes))
      return nil
    } catch {
      #expect(error.reaction == .refuseFile)
      return error
    }
  }

  /// True if the file is refused because it has another format, and the reason contains `name`.
  private func isRefused(_ bytes: [UInt8], as name: String) -> Bool {
    let error = refusal(bytes)
    return error?.kind == .otherFormat && error?.reason.contains(name) == true
  }

  private func padded(_ head: [UInt8]) -> [UInt8] { head + Array(repeating: 0x55, count: 500) }

  @Test func detect_noFormat_hasItsKind() {
    #expect(refusal([])?.kind == .emptyFile)
    #expect(refusal(padded([1, 2, 3]))?.kind == .unknownFormat)
    // One MPEG header without MPEG frames after it.
    #expect(refusal(padded([0xFF, 0xFB, 0x90, 0x64]))?.kind == .unknownFormat)
  }

  @Test func detect_FLACMarkerAlone_isRefused() {
    #expect(refusal(Array("fLaC".utf8)) != nil)
    #expect(refusal(Array("fLaC".utf8) + [0x80, 0, 0, 34]) != nil)
  }

  @Test func detect_oggOfAnotherCodec_isNamed() throws {
    // One page, one segment, "Speex   ", with the CRC of RFC 3533.
    var page: [UInt8] = Array("OggS".utf8) + [0, 2] + Array(repeating: 0, count: 8)
    page += [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 8] + Array("Speex   ".utf8)
    var crc: UInt32 = 0
    for byte in page {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc << 1 ^ (crc & 0x8000_0000 != 0 ? 0x04C1_1DB7 : 0) }
    }
    for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: crc >> (8 * index)) }
    #expect(isRefused(page, as: "Speex"))
  }

  @Test func detect_junkBeforeTheStream_isSkipped() throws {
    let folder = try TemporaryFolder()
    try GeneratedMusic(frames: 5000).vorbis(folder, "a.ogg")
    let bytes = Array(repeating: UInt8(7), count: 999) + (try folder.read("a.ogg"))
    #expect(try AudioFile(MemoryByteSource(bytes)).decoder.decodeAll().frameCount == 5000)
  }

  @Test func header_over32MBOfMetadata_isRefusedWithoutReadingIt() throws {
    // Three APPLICATION blocks of nearly 16 MB each. The source counts the bytes that are read.
    let source = SparseByteSource(size: 60 << 20)
    source.put(0, Array("fLaC".utf8))
    source.put(4, [0, 0, 0, 34] + Array(repeating: 1, count: 34))
    var offset: Int64 = 42
    for _ in 0..<3 {
      source.put(offset, [2, 0xFF, 0xFF, 0xFF])
      offset += 4 + 0xFFFFFF
    }
    #expect(throws: DecodeError.self) { try AudioFile.header(source) }
    #expect(source.bytesRead < 200_000)
    do {
      _ = try AudioFile.header(source)
    } catch {
      #expect(error.kind == .tooLarge)
      // Each block has 16 MB minus one byte. With their headers, two such blocks are slightly larger than 32 MB. So the
      // second block is refused.
      #expect(error.location == .byte(42 + 4 + 0xFFFFFF))
    }
  }
}
