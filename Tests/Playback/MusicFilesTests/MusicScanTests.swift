import AudioCodecs
import Foundation
import TestKit
import Testing

@testable import MusicFiles

/// Tests which files a scan finds on a stick, and the order of these files.
@Suite struct MusicScanTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  private func track(_ name: String, _ tags: String...) throws {
    try GeneratedMusic(channels: 1, frames: 200).flac(folder, "x.flac", tags.map { "--tag=\($0)" })
    try folder.write(name, try folder.read("x.flac"))
    for scrap in ["x.flac", "x.flac.raw"] {
      try FileManager.default.removeItem(atPath: folder.path(scrap))
    }
  }

  private func names(_ scan: MusicScan) -> [String] {
    scan.files.map { String($0.path.dropFirst(folder.url.path.count + 1)) }
  }

  @Test(arguments: [
    ("Track 2", "track 10"), ("a", "B"), ("A 09", "a 10"), ("1", "01a"), ("", "a"), ("x", "x1"),
    ("99999999999999999999998", "99999999999999999999999"), ("Über", "Übung 1"),
  ])
  func naturallyPrecedes_numbersInNames_areComparedByValue(pair: (String, String)) {
    #expect(naturallyPrecedes(pair.0, pair.1))
    #expect(!naturallyPrecedes(pair.1, pair.0))
  }

  @Test func naturallyPrecedes_equalNames_areAConsistentOrder() {
    #expect(!naturallyPrecedes("a", "a"))
    #expect(naturallyPrecedes("A", "a") != naturallyPrecedes("a", "A"))
    #expect(naturallyPrecedes("01", "1") != naturallyPrecedes("1", "01"))
  }

  @Test func scan_folder_ordersByTagsThenByName() throws {
    try track("z.flac", "ALBUM=A", "TRACKNUMBER=1")
    try track("a.flac", "ALBUM=A", "TRACKNUMBER=2", "DISCNUMBER=2")
    try track("m.flac", "ALBUM=A", "TRACKNUMBER=10")
    try track("b.flac", "ALBUM=A", "TRACKNUMBER=1", "DISCNUMBER=2")
    try track("song 10.flac")
    try track("song 9.flac")
    let scan = MusicScan(paths: [folder.url.path])
    #expect(
      names(scan) == ["z.flac", "m.flac", "b.flac", "a.flac", "song 9.flac", "song 10.flac"])
    #expect(scan.unplayable.isEmpty)
  }

  @Test func scan_twoAlbumsInOneFolder_areNotMixed() throws {
    try track("1.flac", "ALBUM=B", "TRACKNUMBER=1")
    try track("2.flac", "ALBUM=A", "TRACKNUMBER=1")
    try track("3.flac", "ALBUM=B", "TRACKNUMBER=2")
    #expect(names(MusicScan(paths: [folder.url.path])) == ["1.flac", "3.flac", "2.flac"])
  }

  @Test func scan_folders_areEnteredInNaturalOrder() throws {
    for name in ["Disc 10", "Disc 2", ".hidden"] {
      try makeFolder(name)
      try track("\(name)/a.flac")
    }
    #expect(
      names(MusicScan(paths: [folder.url.path + "/"])) == ["Disc 2/a.flac", "Disc 10/a.flac"])
  }

  @Test func scan_otherFiles_areReportedOnlyWithAMusicSuffix() throws {
    try track("a.flac")
    try folder.write("cover.jpg", [1, 2, 3])
    try folder.write("broken.flac", [1, 2, 3])
    // The content of a file decides whether it is music. So a file without a name extension can be music.
    try track("no ending")
    let scan = MusicScan(paths: [folder.url.path])
    #expect(names(scan) == ["a.flac", "no ending"])
    #expect(scan.unplayable.map { lastComponent($0.path) } == ["broken.flac"])
    let named = MusicScan(paths: [folder.path("cover.jpg"), folder.path("missing.flac")])
    #expect(named.unplayable.count == 2)
    #expect(named.unplayable.last?.reason == "No such file or directory")
  }

  private func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: destination)
  }

  @Test func scan_filesOfOtherFormats_areReportedWithTheirCause() throws {
    func encode(_ name: String, _ options: [String]) throws {
      try Tools.run(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "sine=duration=1:sample_rate=44100"] + options
          + [folder.path(name)])
    }
    try encode("a.m4a", ["-c:a", "aac"])
    try encode("B.M4A", ["-c:a", "alac"])
    try encode("c.wma", ["-c:a", "wmav2"])
    try encode("d.mp4", ["-c:a", "aac"])
    // The next four files are not reported: a video, and files whose suffixes are not suffixes of music.
    try encode("e.mp4", ["-f", "lavfi", "-i", "testsrc=size=64x64:duration=1", "-c:a", "aac"])
    try encode("f.mkv", ["-c:a", "flac"])
    try folder.write("list.m3u", Array("#EXTM3U\n".utf8))
    try folder.write("cover.jpg", [0xFF, 0xD8, 0xFF, 0xE0])
    try folder.write("g.mp3", Array("Not found".utf8))
    try folder.write("h.mp3", [0xFF, 0xD8, 0xFF, 0xE0])
    try folder.write("i.mp3", [])
    try folder.write("j.mp3", [1, 2, 3])
    try encode("k.wav", ["-c:a", "adpcm_ms"])
    let found = MusicScan(paths: [folder.url.path]).unplayable
    #expect(
      found.map { "\(lastComponent($0.path)): \($0.cause)" } == [
        "a.m4a: \(UnplayableFile.Cause.format(.aac))",
        "B.M4A: \(UnplayableFile.Cause.format(.alac))",
        "c.wma: \(UnplayableFile.Cause.format(.wma))",
        "d.mp4: \(UnplayableFile.Cause.format(.aac))",
        "g.mp3: \(UnplayableFile.Cause.format(.text))",
        "h.mp3: \(UnplayableFile.Cause.format(.picture))",
        "i.mp3: \(UnplayableFile.Cause.empty)", "j.mp3: \(UnplayableFile.Cause.other)",
        "k.wav: \(UnplayableFile.Cause.coding)",
      ])
  }

  @Test func scan_circularLinks_end() throws {
    for name in ["a", "a/b", "c"] { try makeFolder(name) }
    try track("a/a.flac")
    try link("a/up", to: "..")
    try link("a/b/far up", to: folder.url.path)
    try link("a/b/across", to: "../../c")
    try link("c/back", to: "../a")
    try link("itself", to: "itself")
    let scan = MusicScan(paths: [folder.url.path])
    #expect(names(scan) == ["a/a.flac"])
    #expect(scan.unplayable.isEmpty)
  }

  @Test func scan_brokenLink_isReportedOnlyWithAMusicSuffix() throws {
    try link("broken", to: "nowhere")
    try link("broken.flac", to: "nowhere")
    let scan = MusicScan(paths: [folder.url.path])
    #expect(scan.unplayable.map { lastComponent($0.path) } == ["broken.flac"])
    #expect(scan.unplayable.map(\.reason) == ["No such file or directory"])
  }

  @Test func scan_pathGivenTwice_isFoundTwice() throws {
    try makeFolder("A/B")
    try track("A/a.flac")
    try track("A/B/b.flac")
    let (whole, part) = (folder.path("A"), folder.path("A/B"))
    let once = ["A/a.flac", "A/B/b.flac"]
    #expect(names(MusicScan(paths: [whole, whole + "/"])) == once + once)
    #expect(names(MusicScan(paths: [whole, part])) == once + ["A/B/b.flac"])
    let file = folder.path("A/a.flac")
    #expect(names(MusicScan(paths: [file, file])) == ["A/a.flac", "A/a.flac"])
  }

  @Test func scan_findings_keepTheOrderOfThePaths() throws {
    try makeFolder("A")
    try track("A/2.flac")
    try folder.write("A/1.flac", [1, 2, 3])
    try track("b.flac")
    let paths = ["missing.flac", "A", "b.flac", "missing.ogg"]
    let findings = MusicScan(paths: paths.map(folder.path)).findings.map { finding in
      switch finding {
      case .music(let file, _): "+ \(file.fileName)"
      case .unplayable(let file): "- \(lastComponent(file.path))"
      }
    }
    #expect(
      findings == ["- missing.flac", "+ 2.flac", "- 1.flac", "+ b.flac", "- missing.ogg"])
  }

  @Test func scan_headerDamage_isFoundWithItsFile() throws {
    try track("a.flac")
    let bytes = try folder.read("a.flac")
    // The padding block claims to be longer than the file.
    let end = try #require(bytes.firstIndex(of: 0x81), "flac has not written padding at the end")
    try folder.write("a.flac", bytes[...end] + [0xFF, 0xFF, 0xFF] + bytes[(end + 4)...])
    let scan = MusicScan(paths: [folder.url.path])
    #expect(scan.headerDamage[folder.path("a.flac")]?.map(\.location) == [.byte(Int64(end))])
  }

  @Test func file_isAtItsOwnPathOnly() {
    func inFolder(_ directory: String) -> MusicFile {
      MusicFile(
        MusicFile.Common(directory: directory, artist: nil, album: nil), fileName: "a.flac",
        title: "A/B", declaredSeconds: nil)
    }
    let file = inFolder("/m/A/")
    #expect(file.path == "/m/A/a.flac" && file.fileName == "a.flac" && file.folderName == "A")
    #expect(file.isAt("/m/A/a.flac"))
    for other in ["/m/A/b.flac", "/m/B/a.flac", "a.flac", "/m/A/a.fla", ""] {
      #expect(!file.isAt(other))
    }
    #expect(file.title == "A/B")
    #expect(inFolder("").isAt("a.flac") && inFolder("").path == "a.flac")
  }

  // MARK: Limits

  @Test func scan_moreNamesThanTheLimit_reportsTheFolder() throws {
    for name in ["A", "B"] { try makeFolder(name) }
    for index in 0..<50 {
      try folder.write("A/\(index) \(String(repeating: "n", count: 200))", [1])
    }
    try track("B/b.flac")
    // A name needs 2 × 203 + 100 bytes, so about 20 of the 50 names fit.
    let scan = MusicScan(paths: [folder.url.path], limits: .init(nameBytes: 10_000)) { _ in true }
    #expect(names(scan) == ["B/b.flac"])
    #expect(scan.unplayable.map { lastComponent($0.path) } == ["A"])
  }

  @Test func scan_skippedPath_isLeftOutWithAllBelowIt() throws {
    for name in ["A", "B"] { try makeFolder(name) }
    for name in ["A/a.flac", "B/b.flac"] { try track(name) }
    let skipped = folder.path("A")
    var read: [String] = []
    var found: [String] = []
    let summary = MusicScan.run(paths: [folder.url.path]) { path, _ in
      read.append(path)
      return path == skipped ? .skip : .read
    } found: { finding in
      if case .music(let file, _) = finding { found.append(file.fileName) }
    }
    #expect(found == ["b.flac"] && !summary.wasStopped)
    #expect(!read.contains { $0.hasPrefix(skipped + "/") })
  }

  @Test func scan_longTags_areCountedInTheSummary() throws {
    try track("a.flac", "LYRICS=\(String(repeating: "la", count: 1000))")
    try track("b.flac", "TITLE=b")
    let summary = MusicScan.run(paths: [folder.url.path], step: { _, _ in .read }) { _ in }
    #expect(summary.cutTagValues == 1 && !summary.wasStopped)
  }

  @Test func scan_moreFilesThanTheLimit_reportsTheFolders() throws {
    for name in ["A", "B"] { try makeFolder(name) }
    for name in ["A/1.flac", "A/2.flac", "A/3.flac", "B/4.flac"] { try track(name) }
    func scan(_ files: Int, _ paths: String...) -> MusicScan {
      MusicScan(paths: paths, limits: .init(files: files)) { _ in true }
    }
    let cut = scan(2, folder.url.path, folder.path("B"), folder.path("B/4.flac"))
    // A file that is given by its own path is found in spite of the limit.
    #expect(names(cut) == ["A/1.flac", "A/2.flac", "B/4.flac"])
    #expect(cut.unplayable.map(\.path) == [folder.path("A"), folder.path("B")])
    #expect(cut.unplayable.first?.reason.contains("2 files") == true)
    let whole = scan(4, folder.url.path)
    #expect(whole.files.count == 4)
    #expect(whole.unplayable.isEmpty)
  }

  @Test func scan_foldersDeeperThanTheLimit_isReportedOnce() throws {
    for name in ["A/B/C/D", "A/B/E"] { try makeFolder(name) }
    for name in ["A/B/a.flac", "A/B/C/c.flac", "A/B/E/e.flac"] { try track(name) }
    func scan(_ depth: Int) -> MusicScan {
      MusicScan(paths: [folder.url.path], limits: .init(depth: depth)) { _ in true }
    }
    #expect(names(scan(3)) == ["A/B/a.flac"])
    #expect(scan(3).unplayable.map(\.path) == [folder.path("A/B/C")])
    #expect(scan(3).unplayable.first?.reason.contains("3 folders") == true)
    #expect(scan(5).files.count == 3)
    #expect(scan(5).unplayable.isEmpty)
  }

  @Test func scan_nameInLatin1_isFoundAndPlays() throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac")
    // Uses the shell, because Foundation cannot express such a name.
    try Tools.run(
      "sh", ["-c", "mv a.flac \"$(printf 'M\\374ller.flac')\"; rm -f a.flac.raw"], in: folder.url)
    let scan = MusicScan(paths: [folder.url.path])
    #expect(scan.files.count == 1)
    #expect(scan.unplayable.isEmpty)
  }

  // MARK: Stopping

  @Test func scan_cancelled_keepsItsFindings() throws {
    for name in ["A", "B"] { try makeFolder(name) }
    for name in ["A/1.flac", "A/2.flac", "B/3.flac"] { try track(name) }
    var answers: [Bool] = []
    let scan = MusicScan(paths: [folder.path("A"), folder.path("B")]) { count in
      answers.append(count < 3)
      return count < 3
    }
    #expect(scan.wasStopped)
    #expect(names(scan) == ["A/1.flac", "A/2.flac"])
    #expect(answers.firstIndex(of: false) == answers.count - 1)
  }

  @Test func scan_cancelledWithinAFile_stopsReading() throws {
    // The search for the last Ogg page reads this file from its end to its start.
    let music = GeneratedMusic(frames: 2000)
    try music.vorbis(folder, "a.ogg")
    try folder.write(
      "a.ogg", try folder.read("a.ogg") + [UInt8](repeating: 0, count: 4_000_000))
    var calls = 0
    let whole = MusicScan(paths: [folder.path("a.ogg")]) { _ in
      calls += 1
      return true
    }
    #expect(whole.files.count == 1)
    let callsOfTheWhole = calls
    calls = 0
    let stopped = MusicScan(paths: [folder.path("a.ogg")]) { _ in
      calls += 1
      return calls < callsOfTheWhole / 2
    }
    #expect(stopped.wasStopped)
    #expect(stopped.findings.isEmpty)
    #expect(calls == callsOfTheWhole / 2)
  }

  @Test func scan_pipe_isRefusedWithoutBlocking() throws {
    try Tools.run("mkfifo", ["p.flac"], in: folder.url)
    let scan = MusicScan(paths: [folder.path("p.flac")])
    #expect(scan.unplayable.map(\.path) == [folder.path("p.flac")])
  }

  @Test func scan_namedFiles_keepTheirOrder() throws {
    try track("b.flac", "TRACKNUMBER=2")
    try track("a.flac", "TRACKNUMBER=1")
    let scan = MusicScan(paths: [folder.path("b.flac"), folder.path("a.flac")])
    #expect(names(scan) == ["b.flac", "a.flac"])
  }
}
