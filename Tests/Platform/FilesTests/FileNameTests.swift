import Glibc
import TestKit
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
    // Surrogates, overlong sequences, code points above U+10FFFF, cut sequences, noncharacters.
    [0xED, 0xA0, 0x80, 0xED, 0xBF, 0xBF], [0xC0, 0x80, 0xE0, 0x80, 0xAF, 0xF0, 0x82, 0x82, 0xAC],
    [0xF4, 0x90, 0x80, 0x80, 0xF8, 0x88, 0x80, 0x80, 0x80], [0x41, 0xF4, 0x8F, 0xBE],
    [0xF4, 0x8F, 0xBE, 0x80, 0x80], [0xEF, 0xBF, 0xBE, 0xEF, 0xBF, 0xBF, 0xEF, 0xB7, 0x90],
  ])
  func text_ofHostileBytes_isReversible_andHasNoNoncharacter(bytes: [UInt8]) {
    for end in bytes.indices { expectReversible(Array(bytes[...end]) + Array(".mp3".utf8)) }
  }

  @Test func text_ofTheCharactersThatStandForBytes_isReversible() throws {
    var texts: Set<[UInt32]> = []
    for value in UInt32(0x10FF00)...0x10FFFF {
      let name = String(String.UnicodeScalarView([try #require(Unicode.Scalar(value))]))
      expectReversible(Array(name.utf8))
      texts.insert(FileName.text(name.utf8).unicodeScalars.map(\.value))
    }
    for byte in UInt8(0x80)...0xFF {
      expectReversible([byte])
      texts.insert(FileName.text([byte]).unicodeScalars.map(\.value))
    }
    // No two names have the same text.
    #expect(texts.count == 256 + 128)
  }

  @Test func text_ofRandomBytes_isReversible() {
    var random = SeededRandom(57)
    // Parts of the UTF-8 sequences that ``FileName`` stores byte by byte, and other bytes.
    let parts: [UInt8] = [
      0x41, 0x2F, 0x80, 0xBD, 0xBE, 0xBF, 0x8F, 0xC3, 0xED, 0xA0, 0xEF, 0xB7, 0xF0, 0xF4, 0xFE,
      0xFF,
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &random)
      expectReversible((0..<count).map { _ in parts.randomElement(using: &random) ?? 0 })
      expectReversible((0..<count).map { _ in .random(in: 1...255, using: &random) })
    }
  }

  private func expectReversible(_ bytes: [UInt8]) {
    let text = FileName.text(bytes)
    #expect(FileName.bytes(text) == bytes)
    let noncharacter = text.unicodeScalars.first {
      $0.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains($0.value)
    }
    #expect(noncharacter == nil, "\(bytes)")
  }

  @Test(arguments: [
    ("a.flac", "a"), ("1. b.c.ogg", "1. b.c"), (".hidden", ".hidden"), ("none", "none"), ("", ""),
    ("Čaj 茶.flac", "Čaj 茶"),
  ])
  func withoutSuffix_dropsTheTextFromTheLastDot(name: String, shown: String) {
    #expect(FileName.withoutSuffix(FileName.bytes(name)) == shown)
  }

  @Test func entryName_longerThanItsDeclaration_isComplete() {
    // A name on a FAT stick has up to 255 characters. In UTF-8 they can be 765 bytes, which is more than the declared
    // size of `d_name`.
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
