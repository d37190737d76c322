import Foundation
import LibraryModel
import TestKit
import Testing

@testable import LibraryDatabase
@testable import LibraryScan

/// Scans playlists on a stick, and finds the songs of their entries.
@Suite struct PlaylistScanTests {
  let bench: LibraryBench

  init() throws {
    bench = try LibraryBench()
    for name in ["Air/Moon/1.flac", "Air/Moon/2.flac", "Blur/Über.flac"] {
      try bench.add(name, "TITLE=\(name)", "ARTIST=A", "ALBUM=B")
    }
  }

  private func write(_ name: String, _ lines: String...) throws {
    let text = lines.joined(separator: "\r\n")
    try FileManager.default.createDirectory(
      atPath: (bench.path(name) as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    try bench.folder.write("music/" + name, Array(text.utf8))
  }

  private func songs(_ playlist: String) throws -> [String] {
    let rows = try bench.rows(.playlist(try bench.id(playlist, in: .playlists)))
    return rows.map { ($0.isAbsent ? "absent " : "") + $0.title }
  }

  @Test func scan_entries_areFoundInOrder() throws {
    try write("Lists/Road.m3u", "../Air/Moon/2.flac", "../Air/Moon/1.flac", "../Air/Moon/2.flac")
    try bench.scan()
    let rows = try bench.rows(.playlists)
    #expect(rows.map(\.title) == ["Road"])
    #expect(rows.map(\.count) == [3])
    #expect(try songs("Road") == ["Air/Moon/2.flac", "Air/Moon/1.flac", "Air/Moon/2.flac"])
    #expect(try bench.find("road") == ["playlist Road"])
  }

  @Test func scan_pathsOfAnotherMachine_areFoundByTheirEnd() throws {
    try write(
      "a.m3u8", "#PLAYLIST:Named", "C:\\Users\\me\\Music\\Air\\Moon\\1.flac",
      "/mnt/x/air/MOON/2.FLAC",
      "Blur/Über.flac".decomposedStringWithCanonicalMapping)
    try bench.scan()
    #expect(try songs("Named") == ["Air/Moon/1.flac", "Air/Moon/2.flac", "Blur/Über.flac"])
  }

  @Test func scan_nameThatBeginsWithAnAccent_isFound() throws {
    // Foundation does not split a path at a slash before a combining accent, so this test uses `mkdir` and `rename`.
    try bench.add("Air/x.flac", "TITLE=Accent", "ARTIST=A", "ALBUM=B")
    let folder = bench.path("Air") + "/\u{301}e"
    #expect(mkdir(folder, 0o755) == 0)
    #expect(rename(bench.path("Air/x.flac"), folder + "/\u{308}x.flac") == 0)
    try write("a.m3u8", "Air/\u{301}e/\u{308}x.flac", "C:\\\u{301}e\\\u{308}x.flac")
    try bench.scan()
    #expect(try songs("a") == ["Accent", "absent \u{308}x"])
  }

  @Test func scan_missingEntries_stayAndAreFoundLater() throws {
    try write("a.m3u", "#EXTINF:9,The missing one", "new.flac", "gone.flac", "Air/Moon/1.flac")
    try bench.scan()
    #expect(try songs("a") == ["absent The missing one", "absent gone", "Air/Moon/1.flac"])
    try bench.add("new.flac", "TITLE=New")
    try bench.remove("Air/Moon/1.flac")
    try bench.scan()
    #expect(try songs("a") == ["New", "absent gone", "absent 1"])
  }

  @Test func scan_changedAndRemovedPlaylist_followsTheFile() throws {
    try write("a.m3u", "Air/Moon/1.flac")
    try bench.scan()
    try write("a.m3u", "Air/Moon/1.flac", "Air/Moon/2.flac")
    #expect(try bench.scan().read == 1)
    #expect(try songs("a").count == 2)
    try bench.remove("a.m3u")
    try bench.scan()
    #expect(try bench.titles(.playlists) == [])
    let found = try bench.find("a")
    #expect(!found.contains("playlist a"))
  }

  @Test func scan_entriesOutsideOfTheVolume_areNotFound() throws {
    try write("a.m3u", "../../../../etc/passwd", "..", "../library/library.db")
    try bench.scan()
    #expect(try songs("a").allSatisfy { $0.hasPrefix("absent") })
  }

  @Test func scan_pathInOldBytes_isFound() throws {
    let name: [UInt8] = [0x62, 0xF6, 0x73, 0x65, 0x2E, 0x66, 0x6C, 0x61, 0x63]
    try bench.add("new.flac", "TITLE=Old name")
    let old = Array(bench.path("").utf8) + [0x2F] + name
    #expect(rename(bench.path("new.flac"), old.map { CChar(bitPattern: $0) } + [0]) == 0)
    try bench.folder.write("music/a.m3u", name)
    try bench.scan()
    #expect(try songs("a") == ["Old name"])
  }

  @Test func scan_moreEntriesThanAVolumeMayHave_isAProblem() throws {
    bench.writer.maximumEntries = 5
    try write("a.m3u", "Air/Moon/1.flac", "Air/Moon/2.flac", "x")
    try write("b.m3u", "Air/Moon/1.flac", "Air/Moon/2.flac", "x")
    try bench.scan()
    let root = try bench.rows(.volumes)[0].id
    let problem = try #require(try bench.rows(.folder(root)).last)
    #expect(problem.kind == .problem)
    #expect(problem.detail == "the playlists of this volume have more than 5 entries")
    #expect(try bench.titles(.playlists).count == 1)
    // After a playlist was removed, its entries do not count for the limit any more, so the other playlist is listed.
    let listed = try bench.titles(.playlists)[0]
    try bench.remove(listed + ".m3u")
    let other = listed == "a" ? "b.m3u" : "a.m3u"
    try write(other, "Air/Moon/1.flac", "Air/Moon/2.flac")
    try bench.scan()
    #expect(try bench.titles(.playlists) == [String(other.prefix(1))])
  }

  @Test func scan_playlistThatIsDeletedMeanwhile_isNoRemovedMedium() throws {
    try write("a.m3u", "Air/Moon/1.flac")
    let scan = VolumeScan(
      bench.volume, into: bench.writer,
      willRead: { [bench] access in
        if case .file(let path, _) = access, path.last == UInt8(ascii: "u") {
          unlink(bench.path("a.m3u"))
        }
      })
    #expect(try scan.run().ending == .complete)
    #expect(try bench.titles(.playlists) == [])
  }

  @Test func scan_playlistThatIsTooLarge_isAProblem() throws {
    try write("big.m3u", "Air/Moon/1.flac")
    try bench.scan()
    #expect(try bench.titles(.playlists) == ["big"])
    try bench.folder.write("music/big.m3u", [UInt8](repeating: 0x61, count: (4 << 20) + 1))
    try bench.scan()
    let root = try bench.rows(.volumes)[0].id
    #expect(try bench.rows(.folder(root)).last?.kind == .problem)
    #expect(try bench.titles(.playlists) == [])
  }
}
