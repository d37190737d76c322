import AudioCodecs
import TestKit
import Testing

@testable import PlaylistFiles

@Suite struct M3UPlaylistTests {
  private func entries(_ text: String) -> [M3UPlaylist.Entry] {
    M3UPlaylist(Array(text.utf8)).entries
  }

  @Test func read_titlesAndEntries() {
    let list = M3UPlaylist(
      Array(
        "#EXTM3U\r\n#PLAYLIST: Road\r\n#EXTINF:123,Air - Moon\r\nAir/moon.flac\r\n\r\n b.ogg \n"
          .utf8))
    #expect(list.title == "Road")
    #expect(
      list.entries == [
        .init("Air/moon.flac", isRelative: true, title: "Air - Moon"),
        .init("b.ogg", isRelative: true),
      ])
  }

  @Test(arguments: [
    ("./a/../b.mp3", "a/../b.mp3", true), ("a\\b.mp3", "a/b.mp3", true),
    ("C:\\Music\\b.mp3", "Music/b.mp3", false), ("/home/me/b.mp3", "home/me/b.mp3", false),
    ("\\\\nas\\b.mp3", "nas/b.mp3", false),
    ("file:///a/b%20c%C3%A9.mp3", "a/b cé.mp3", false),
    ("FILE:/a/100%.mp3", "a/100%.mp3", false),
  ])
  func read_path_hasItsNames(text: String, path: String, isRelative: Bool) {
    #expect(entries(text) == [.init(path, isRelative: isRelative)])
  }

  @Test(arguments: [
    "http://a/b.mp3", "other.m3u", "x/list.M3U8", "mms://x", "/", "C:\\", "a\0b.mp3",
  ])
  func read_entryThatIsNoFile_isLeftOut(text: String) {
    #expect(entries("a\n\(text)\nb").map(\.path) == ["a", "b"])
  }

  @Test func read_bytesOfOldPrograms_areWindows1252() {
    #expect(
      M3UPlaylist([0x62, 0xF6, 0x73, 0x65, 0x80]).entries == [
        .init("böse€", isRelative: true)
      ])
    #expect(M3UPlaylist([0xEF, 0xBB, 0xBF, 0x61]).entries == [.init("a", isRelative: true)])
  }

  @Test func read_tooMuch_isCut() {
    #expect(entries(String(repeating: "a\n", count: 10_500)).count == 10_000)
    #expect(entries(String(repeating: "x", count: 5000) + "\na").map(\.path) == ["a"])
    // Each byte 0x80 becomes three bytes of UTF-8, and these three bytes count for the limit of 4 MiB.
    let line = [UInt8](repeating: 0x80, count: 4000) + [0x0A]
    let large = M3UPlaylist(Array(repeatElement(line, count: 1000).joined()))
    #expect(large.entries.count == (4 << 20) / 12_000 + 1)
  }

  @Test func read_errorOfTheMedium_isThrown() {
    let source = FailingByteSource([UInt8](repeating: 0x0A, count: 100_000), failsAt: 50_000)
    #expect(throws: ByteSourceError.self) { try M3UPlaylist(source) }
  }

  @Test func read_anyBytes_isSafe() {
    var state: UInt64 = 25
    for _ in 0..<300 {
      let bytes = (0..<200).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      let list = M3UPlaylist(bytes)
      #expect(list.entries.allSatisfy { !$0.path.isEmpty })
    }
  }
}
