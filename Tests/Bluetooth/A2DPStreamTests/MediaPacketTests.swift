import TestKit
import Testing

@testable import A2DPStream

@Suite struct MediaPacketTests {
  private func read(_ bytes: [UInt8]) throws(MediaPacket.Damage) -> MediaPacket {
    // The allocation ends after the last byte, so that a sanitizer reports a read after the packet.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return try MediaPacket(UnsafeRawBufferPointer(memory))
  }

  private func damage(_ bytes: [UInt8]) -> MediaPacket.Damage? {
    do throws(MediaPacket.Damage) {
      _ = try read(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func packet_isRead_withSources_extensionAndPadding() throws {
    let frames: [[UInt8]] = [[1, 2, 3], [4, 5]]
    for (sources, words, padding) in [
      (0, nil, 0), (15, nil, 0), (0, 0, 0), (3, 2, 0), (0, nil, 1), (1, 1, 9),
    ] {
      let bytes = mediaPacket(0xFEDC, frames, sources: sources, extension: words, padding: padding)
      let read = try read(bytes)
      #expect(read.sequence == 0xFEDC && read.frameCount == 2)
      #expect(Array(bytes[read.frames]) == [1, 2, 3, 4, 5])
    }
  }

  @Test func packetWithoutSound_isRefused() {
    #expect(damage([]) == .short)
    #expect(damage(mediaPacket(1, [])) == .short)
    #expect(damage(mediaPacket(1, [[1]], count: 0)) == .empty)
    #expect(damage(mediaPacket(1, [[1]], count: 0x81)) == .fragment)
    #expect(damage(mediaPacket(1, [[1]], padding: 200).dropLast() + [255]) == .short)
    for version in [0, 1, 3] {
      var bytes = mediaPacket(1, [[1]])
      bytes[0] = UInt8(version << 6)
      #expect(damage(bytes) == .version)
    }
    let long = mediaPacket(1, [[1]], sources: 15, extension: 200)
    for count in 0..<long.count { #expect(damage(Array(long[..<count])) == .short) }
  }

  @Test func anyHeader_givesFramesWithinThePacket() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if !bytes.isEmpty { bytes[0] = 0x80 | bytes[0] & 0x3F }
      guard let read = try? read(bytes) else { continue }
      #expect(read.frames.lowerBound >= 13 && read.frames.upperBound <= bytes.count)
      #expect(!read.frames.isEmpty && (1...15).contains(read.frameCount))
    }
  }
}
