import Foundation
import TestKit
import Testing

@testable import LocalPlayer

@Suite struct FileNameTests {
  @Test(arguments: [
    Array("plain.flac".utf8), Array("Übung – 音楽 🎵".utf8), [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72],
    [0xFF, 0xFE], [0xC3], [0xE2, 0x82, 0x41], [],
  ])
  func text_ofAnyBytes_turnsBackIntoThem(bytes: [UInt8]) {
    #expect(FileName.bytes(FileName.text(bytes)) == bytes)
  }

  @Test func scan_nameInLatin1_isFoundAndPlays() throws {
    let folder = try TemporaryFolder()
    try MadeMusic(frames: 100).flac(folder, "a.flac")
    // Written by the shell, as Foundation has no words for such a name.
    try Tools.run(
      "sh", ["-c", "mv a.flac \"$(printf 'M\\374ller.flac')\"; rm -f a.flac.raw"], in: folder.url)
    let scan = MusicScan(paths: [folder.url.path])
    #expect(scan.files.count == 1)
    #expect(scan.unplayable.isEmpty)
  }
}
