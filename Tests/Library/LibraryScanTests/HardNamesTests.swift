import Foundation
import LibraryDatabase
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

/// Scans files with difficult names and folders, which `collection.py --hard` creates. Benchmarks use these files too.
@Suite struct HardNamesTests {
  let bench: LibraryBench

  init() throws {
    bench = try LibraryBench()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Benchmarks/collection.py").standardized
    try Tools.run("python3", [script.path, bench.path(""), "--hard"])
  }

  @Test func run_hardNames_findsEachSong_andReadsNoFileAgain() throws {
    let result = try bench.scan()
    #expect(result.ending == .complete && result.files == 10_013)
    // One file is in too many nested folders, so the scan does not find it.
    #expect(result.wasCut)
    let again = try bench.scan()
    #expect(again.read == 0 && again.removed == 0)

    let folders = try bench.rows(.folder(bench.rows(.volumes)[0].id))
    #expect(
      folders.map(\.title) == ["bytes", "deep", "deeper", "flat", "forms", "long", "scripts"])
    let flat = try #require(folders.first { $0.title == "flat" })
    #expect(
      try bench.rows(.folder(flat.id), limit: 48).map(\.title) == (0..<10_000).map { "Flat \($0)" })

    for words in [
      "rain winter", "песня дождь", "δρόμος", "مطر", "גשם", "春天", "ゆき", "겨울", "flat 9999", "long",
      "bytes",
    ] {
      #expect(try bench.find(words).filter { $0.hasPrefix("song") }.count == 1, "\(words)")
    }
    #expect(try bench.find("composed") == ["song composed"])
    #expect(try bench.find("decomposed") == ["song decomposed"])
    #expect(try bench.find("too deep") == [])
  }
}
