import LibraryModel
import TestKit
import Testing

@testable import UnitState

@Suite struct OwnPlaylistTests {
  private typealias Entry = OwnPlaylist.Entry

  private static let entries = [
    Entry(
      SongReference(volume: "vfat 1234-ABCD 67108864", path: Array("Air/01 La femme.flac".utf8)),
      root: Array("/media/sda1".utf8), title: "La femme d'argent", artist: "Air, Beth",
      album: "Moon Safari", duration: .test(429_733)),
    // An absent volume, and a name that is not UTF-8.
    Entry(
      SongReference(volume: "ext4 50%,x", path: [0x41, 0xFF, 0x2F, 0x62]), title: "",
      duration: .zero),
    // File names that contain line breaks, or that look like a comment of an M3U file.
    Entry(SongReference(volume: "folder /music", path: Array("a\nb\r.flac".utf8)), title: "a"),
    Entry(SongReference(volume: "folder /music", path: Array("#1 hit.flac".utf8)), title: "one"),
    Entry(
      SongReference(volume: "folder /", path: Array("music/x.ogg".utf8)), root: [], title: "Ágætis"),
    Entry(SongReference(volume: "", path: Array("/somewhere/else.flac".utf8)), title: "else"),
  ]

  @Test func encoded_decodes_toEqualEntries() {
    let list = OwnPlaylist(Self.entries)
    let again = OwnPlaylist(decoding: list.encoded())
    #expect(again.entries == Self.entries)
    #expect(again.isWhole)
    #expect(OwnPlaylist(decoding: OwnPlaylist().encoded()) == OwnPlaylist())
  }

  @Test func bookmarksAndOpinions_decodeToEqualOnes() {
    var entries = Self.entries
    entries[0].bookmark = .test(61_500)
    entries[1].bookmark = .zero
    entries[2].opinion.halfStars = 7
    entries[3].opinion.isDisliked = true
    entries[4].opinion.halfStars = 0
    entries[4].opinion.isDisliked = true
    entries[5].opinion.halfStars = 10
    let bytes = OwnPlaylist(entries).encoded()
    let again = OwnPlaylist(decoding: bytes)
    #expect(again.entries == entries && again.isWhole)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("#AUTOHARP-A") || $0.hasPrefix("#AUTOHARP-O") } == [
        "#AUTOHARP-AT:61500", "#AUTOHARP-AT:0", "#AUTOHARP-OPINION:stars=3.5",
        "#AUTOHARP-OPINION:dislike", "#AUTOHARP-OPINION:stars=0,dislike",
        "#AUTOHARP-OPINION:stars=5",
      ])
  }

  @Test(arguments: [
    "#AUTOHARP-AT:-1", "#AUTOHARP-AT:99999999999", "#AUTOHARP-AT:", "#AUTOHARP-OPINION:",
    "#AUTOHARP-OPINION:stars=6", "#AUTOHARP-OPINION:stars=nan", "#AUTOHARP-OPINION:hate",
  ])
  func unknownMarks_areLeftOut_andTheFileIsNotWhole(line: String) {
    var bytes = OwnPlaylist([Self.entries[0]]).encoded()
    let end = bytes.count - "#AUTOHARP-END:1\n".utf8.count
    let first = bytes[..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
    bytes = Array((first[..<2] + [Array(line.utf8)[...]] + first[2...]).joined(separator: [0x0A]))
    bytes += "#AUTOHARP-END:1\n".utf8
    let list = OwnPlaylist(decoding: bytes)
    #expect(list.entries == [Self.entries[0]] && !list.isWhole)
  }

  @Test func encoded_canBeReadByOtherPrograms() {
    let lines = String(decoding: OwnPlaylist([Self.entries[0]]).encoded(), as: UTF8.self)
    #expect(
      lines == """
        #EXTM3U
        #AUTOHARP-LIST:1
        #AUTOHARP:vfat 1234-ABCD 67108864,12,429733
        #EXTINF:430,La femme d'argent
        #EXTART:Air, Beth
        #EXTALB:Moon Safari
        /media/sda1/Air/01 La femme.flac
        #AUTOHARP-END:1

        """)
  }

  @Test func textsWithControlCharacters_areOneLine_andCut() {
    var entry = Self.entries[0]
    entry.title = "a\r\nb\u{7}"
    entry.artist = String(repeating: "é", count: 200)
    let again = OwnPlaylist(decoding: OwnPlaylist([entry]).encoded()).entries[0]
    #expect(again.title == "a b ")
    #expect(again.artist == String(repeating: "é", count: 128))
  }

  @Test func filesOfOtherPrograms_areReadAsFarAsPossible() {
    let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:61,Artist - Song\r\n/media/x/a.flac\r\n\r\nb.flac"
    let list = OwnPlaylist(decoding: Array(text.utf8))
    #expect(
      list.entries == [
        Entry(
          SongReference(volume: "", path: Array("/media/x/a.flac".utf8)), title: "Artist - Song",
          duration: .test(61_000)),
        Entry(SongReference(volume: "", path: Array("b.flac".utf8))),
      ])
    #expect(!list.isWhole)
  }

  @Test func damagedFiles_areNotWhole() {
    let bytes = OwnPlaylist(Self.entries).encoded()
    for end in 0..<bytes.count - 1 {
      let list = OwnPlaylist(decoding: Array(bytes[..<end]))
      #expect(!list.isWhole, "cut at \(end)")
      #expect(list.entries.count <= Self.entries.count)
    }
    for offset in bytes.indices {
      var damaged = bytes
      damaged[offset] ^= 0x15
      _ = OwnPlaylist(decoding: damaged)
    }
    let added = bytes + Array("# a remark\n".utf8)
    #expect(!OwnPlaylist(decoding: added).isWhole)
  }

  @Test func hostileLines_areBounded() {
    let lines = [
      "#AUTOHARP:", "#AUTOHARP:a", "#AUTOHARP:a,9999,1", "x", "#AUTOHARP:a,-1,1", "y",
      "#AUTOHARP:a,0,-5", "z", "#AUTOHARP:%G1,0,0", "p", "#AUTOHARP:a,0,0,%00", "q",
      "#AUTOHARP-END:99999999999999999999", String(repeating: "d", count: 5000),
    ]
    let list = OwnPlaylist(decoding: Array(lines.joined(separator: "\n").utf8))
    #expect(
      list.entries.map { String(decoding: $0.reference.path, as: UTF8.self) } == [
        "x", "y", "z", "p",
      ])
    #expect(list.entries.map(\.reference.volume) == ["", "", "a", ""])
    let many = [UInt8](String(repeating: "a\n", count: OwnPlaylist.maximumEntries + 5).utf8)
    #expect(OwnPlaylist(decoding: many).entries.count == OwnPlaylist.maximumEntries)
  }

  @Test func identities_differ_andStayWhenOthersAreRemoved() {
    let (a, b) = (Self.entries[0], Self.entries[1])
    let list = OwnPlaylist([a, b, a, a])
    let identities = list.identities
    #expect(Set(identities).count == 4 && identities.allSatisfy { $0 > 0 })
    #expect(OwnPlaylist([a, a, a]).identities == [identities[0], identities[2], identities[3]])
  }

  @Test(arguments: [
    "Road trip", "ß", "Ágætis", "a.m3u8", "100 %", String(repeating: "x", count: 100),
  ])
  func goodNames_areNames(_ text: String) throws {
    let name = try #require(PlaylistName(text))
    #expect(PlaylistName(file: name.file)?.text == text)
    #expect(name.identity > 1)
  }

  @Test(arguments: [
    "", ".", "..", ".new", "a/b", "/", "a\0", "a\nb", "a\u{7F}", " a", "a ", "\u{2028}",
    String(repeating: "x", count: 101), String(repeating: "漢", count: 90), "a\u{10FF80}",
  ])
  func badNames_areRefused(_ text: String) {
    #expect(PlaylistName(text) == nil)
  }

  @Test func namesThatDifferByCase_areOneList_andFavouritesAreFirst() throws {
    let names = try ["b", "A", "FAVOURITES", "Á"].map { try #require(PlaylistName($0)) }
    #expect(try #require(PlaylistName("ROAD")) == #require(PlaylistName("road")))
    #expect(names.sorted().map(\.text) == ["FAVOURITES", "A", "b", "Á"])
    #expect(names[2].identity == 1)
    #expect(PlaylistName("ROAD")?.identity == PlaylistName("road")?.identity)
  }
}
