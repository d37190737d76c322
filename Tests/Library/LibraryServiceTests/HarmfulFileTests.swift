import Files
import Foundation
import LibraryDatabase
import LibraryModel
import NameKeys
import TestKit
import Testing

@testable import LibraryService

/// Tests files at which the library program crashes or is killed (*stops*). Before the program reads a file, it writes
/// the name of the file to a note. If the program stops, the note remains, so the next run knows the file.
@Suite struct HarmfulFileTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench()
    try bench.addSongs(3, in: "a", album: "Moon Safari")
    bench.service.shutDown()
  }

  private func writer() throws -> LibraryWriter {
    let opened = try LibraryFile.open(
      in: bench.folder.path("library"), key: ServiceBench.articles.key)
    return try LibraryWriter(opened.database, articles: ServiceBench.articles)
  }

  private func stamp(_ name: String) throws -> UInt32 {
    var status = stat()
    try #require(stat(bench.folder.path("a/" + name), &status) == 0)
    return FileStamp(status).digest
  }

  /// Simulates a run of the program that loads the note of the run before, and is then killed while it reads `name`.
  private func kill(reading name: String) throws {
    let harmful = HarmfulFiles(in: bench.folder.path("runtime"))
    try harmful.load(try writer())
    harmful.begin(Array("/\(name)".utf8), stamp: try stamp(name), of: "id a")
  }

  /// The number of stops for each file, keyed by path, as the next run of the program loads them.
  private func known() throws -> [String: Int] {
    let harmful = HarmfulFiles(in: bench.folder.path("runtime"))
    try harmful.load(try writer())
    return Dictionary(
      uniqueKeysWithValues: harmful.all.map { (String(decoding: $0.path, as: UTF8.self), $0.stops) }
    )
  }

  private func restart() throws {
    try bench.restart()
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
  }

  private var excluded: [String] {
    bench.service.report.harmfulFiles.filter(\.isExcluded).map(\.path)
  }

  @Test func twoFilesThatStopTheProgram_areLeftOutAfterFourStops_andWhenTheyWereStopsAlternate()
    throws
  {
    for name in ["1.flac", "2.flac", "1.flac", "2.flac"] { try kill(reading: name) }
    try restart()
    #expect(excluded == ["/1.flac", "/2.flac"])
    #expect(bench.service.report.volumes.map(\.problems) == [2])
    #expect(bench.service.report.volumes.map(\.songs) == [1])
  }

  @Test func verdicts_surviveABoot_andAPowerCut() throws {
    for name in ["1.flac", "1.flac", "2.flac"] { try kill(reading: name) }
    #expect(try known() == ["/1.flac": 2, "/2.flac": 1])
    // After a boot, the folder `runtime` is empty, because it is in memory. After a power cut, the data that was only
    // in the journal is lost.
    try FileManager.default.removeItem(atPath: bench.folder.path("runtime/reading"))
    for suffix in ["-wal", "-shm"] { unlink(bench.folder.path("library/library.db" + suffix)) }
    #expect(try known() == ["/1.flac": 2, "/2.flac": 1])
  }

  @Test func aFileThatHasChanged_getsAnotherChance() throws {
    for _ in 0..<2 { try kill(reading: "1.flac") }
    try restart()
    #expect(bench.service.report.volumes.map(\.songs) == [2])
    try bench.add("a/1.flac", "TITLE=A longer title than before", "ALBUM=Moon Safari")
    bench.service.rescan("id a")
    try bench.loop.turn(until: { bench.service.report.volumes.map(\.songs) == [3] })
    try bench.loop.turn(until: { bench.service.report.harmfulFiles.isEmpty })
  }

  @Test func readAnew_readsHarmfulFilesToo() throws {
    for _ in 0..<2 { try kill(reading: "1.flac") }
    try restart()
    #expect(excluded == ["/1.flac"])
    bench.service.readAnew("id a")
    try bench.loop.turn(until: { bench.service.report.volumes.map(\.songs) == [3] })
    try bench.loop.turn(until: { bench.service.report.harmfulFiles.isEmpty })
  }

  @Test func aFileThatWasReadToItsEnd_isForgotten() throws {
    try kill(reading: "1.flac")
    try restart()
    try bench.loop.turn(until: { bench.service.report.harmfulFiles.isEmpty })
    #expect(bench.service.report.volumes.map(\.songs) == [3])
    bench.service.shutDown()
    #expect(try known() == [:])
  }

  @Test func aProgramThatIsToldToEnd_accusesNoFile() throws {
    try kill(reading: "1.flac")
    HarmfulFiles.noteEnd(in: bench.folder.path("runtime"))
    #expect(try known() == [:])
  }

  @Test func aMarkWithAnyBytes_isNoError() throws {
    var random = SeededRandom(57)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        UInt8.random(in: 0..<5, using: &random) * 30
      }
      try bench.folder.write("runtime/reading", bytes)
      _ = try known()
    }
  }

  @Test func forget_removesTheVerdictsOfTheVolume() throws {
    for _ in 0..<2 { try kill(reading: "1.flac") }
    try restart()
    bench.service.setVolumes([])
    bench.service.forget("id a")
    try bench.loop.turn(until: { bench.service.report.volumes.isEmpty })
    try bench.loop.turn(until: { bench.service.report.harmfulFiles.isEmpty })
  }
}
