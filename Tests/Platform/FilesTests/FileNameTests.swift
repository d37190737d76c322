import Glibc
import Testing

@testable import Files

@Suite struct FileNameTests {
  @Test(arguments: [
    Array("plain.flac".utf8), Array("Übung – 音楽 🎵".utf8), [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72],
    [0xFF, 0xFE], [0xC3], [0xE2, 0x82, 0x41], [],
  ])
  func text_ofAnyBytes_isReversible(bytes: [UInt8]) {
    #expect(FileName.bytes(FileName.text(bytes)) == bytes)
  }

  @Test(arguments: [
    ("a.flac", "a"), ("1. b.c.ogg", "1. b.c"), (".hidden", ".hidden"), ("none", "none"), ("", ""),
    ("Čaj 茶.flac", "Čaj 茶"),
  ])
  func withoutSuffix_dropsTheTextFromTheLastDot(name: String, shown: String) {
    #expect(FileName.withoutSuffix(FileName.bytes(name)) == shown)
  }

  @Test func entryName_longerThanItsDeclaration_isComplete() {
    // A name on a FAT stick has up to 255 characters. In UTF-8 they can be 765 bytes, which is more
    // than the declared size of `d_name`.
    let name = Array(String(repeating: "音", count: 255).utf8)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    let entry = buffer.baseAddress!.assumingMemoryBound(to: dirent.self)
    entry.pointee.d_reclen = 800
    let start = MemoryLayout<dirent>.offset(of: \.d_name)!
    UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyBytes(from: name)
    #expect(Array(entryName(entry)) == name)
  }
}
