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
        .init(parts: ["Air", "moon.flac"], isRelative: true, title: "Air - Moon"),
        .init(parts: ["b.ogg"], isRelative: true),
      ])
    #expect(list.leftOut == 0)
  }

  @Test(arguments: [
    ("./a/../b.mp3", ["a", "..", "b.mp3"], true), ("a\\b.mp3", ["a", "b.mp3"], true),
    ("C:\\Music\\b.mp3", ["Music", "b.mp3"], false),
    ("/home/me/b.mp3", ["home", "me", "b.mp3"], false),
    ("\\\\nas\\b.mp3", ["nas", "b.mp3"], false),
    ("file:///a/b%20c%C3%A9.mp3", ["a", "b cé.mp3"], false),
    ("FILE:/a/100%.mp3", ["a", "100%.mp3"], false),
  ])
  func read_path_hasItsParts(text: String, parts: [String], isRelative: Bool) {
    #expect(entries(text) == [.init(parts: parts, isRelative: isRelative)])
  }

  @Test(arguments: ["http://a/b.mp3", "other.m3u", "x/list.M3U8", "mms://x", "/", "C:\\"])
  func read_entryThatIsNoFile_isLeftOut(text: String) {
    let list = M3UPlaylist(Array(text.utf8))
    #expect(list.entries == [] && list.leftOut == 1)
  }

  @Test func read_bytesOfOldPrograms_areWindows1252() {
    #expect(
      M3UPlaylist([0x62, 0xF6, 0x73, 0x65, 0x80]).entries == [
        .init(parts: ["böse€"], isRelative: true)
      ])
    #expect(
      M3UPlaylist([0xEF, 0xBB, 0xBF, 0x61]).entries == [.init(parts: ["a"], isRelative: true)])
  }

  @Test func read_tooMuch_isCut() {
    let many = M3UPlaylist(Array(String(repeating: "a\n", count: 10_500).utf8))
    #expect(many.entries.count == 10_000 && many.leftOut == 500)
    let long = M3UPlaylist(Array((String(repeating: "x", count: 5000) + "\na").utf8))
    #expect(long.entries.count == 1 && long.leftOut == 1)
  }

  @Test func read_anyBytes_isSafe() {
    var state: UInt64 = 25
    for _ in 0..<300 {
      let bytes = (0..<200).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      let list = M3UPlaylist(bytes)
      #expect(list.entries.allSatisfy { !$0.parts.isEmpty })
    }
  }
}
