import Foundation
import LibraryDatabase
import LibraryModel
import SQLite
import TestKit
import Testing

@testable import LibraryService

/// Absent volumes stay in the library as long as there is room. The tests use a real database.
@Suite struct AbsentVolumesTests {
  private func bench(volumes: Int = 8, songs: Int = 200_000) throws -> ServiceBench {
    try ServiceBench(
      limits: LibraryLimits(volumes: volumes, songs: songs, settling: .zero))
  }

  /// For each volume (by its label), the number of the last start of the library in which this volume was present.
  private func seen(_ bench: ServiceBench) throws -> [String: Int64] {
    var seen: [String: Int64] = [:]
    let database = try LibraryFile.reader(in: bench.folder.path("library"))
    try database.statement("SELECT label, seen FROM volume").execute { row in
      seen[row.text(0)] = row.integer(1)
      return true
    }
    return seen
  }

  /// Starts the library with these sticks, and waits until the database records that exactly these sticks are present.
  private func start(_ bench: ServiceBench, _ names: [String]) throws {
    try bench.restart()
    bench.service.setVolumes(names.map { bench.volume($0) })
    for name in names { try bench.wait(for: name) }
    try bench.loop.turn(until: {
      guard let seen = try? self.seen(bench), let latest = seen.values.max() else { return false }
      return Set(seen.filter { $0.value == latest }.keys) == Set(names)
    })
  }

  private func labels(_ bench: ServiceBench) -> [String] {
    bench.service.report.volumes.map(\.label).sorted()
  }

  @Test func theNinthStick_replacesTheOneThatWasNotThereForMostStarts() throws {
    let bench = try bench()
    let names = (1...9).map { "stick \($0)" }
    for name in names { try bench.addSongs(1, in: name, album: "Album of \(name)") }
    // The first stick is older than the second stick, but it was present more recently.
    for name in names[..<2] + names[..<1] + names[2..<8] { try start(bench, [name]) }
    #expect(labels(bench) == Array(names[..<8]))
    #expect(bench.messages.isEmpty)
    try start(bench, [names[8]])
    let kept = names.filter { $0 != "stick 2" }
    try bench.loop.turn(until: { self.labels(bench) == kept })
    #expect(try bench.titles(.albums) == kept.map { "Album of \($0)" })
    #expect(
      bench.messages == [
        "stick 2 was absent for the longest time and is forgotten: there is no room"
      ])
    // A forgotten stick can return.
    try start(bench, ["stick 2"])
    try bench.loop.turn(until: { self.labels(bench) == names.filter { $0 != "stick 1" } })
  }

  @Test func sticksThatAreThere_stay() throws {
    let bench = try bench(volumes: 2)
    for name in ["a", "b", "c", "d"] { try bench.addSongs(1, in: name, album: name) }
    try start(bench, ["a"])
    try start(bench, ["b", "c", "d"])
    try bench.loop.turn(until: { self.labels(bench) == ["b", "c", "d"] })
    bench.service.setVolumes([bench.volume("b"), bench.volume("c")])
    bench.service.rescan("")
    try bench.loop.turn(until: { self.labels(bench) == ["b", "c"] })
  }

  @Test func moreSongsThanTheLimit_removeTheOldestSticks() throws {
    let bench = try bench(songs: 5)
    for (name, songs) in [("a", 2), ("b", 1), ("c", 2), ("d", 4)] {
      try bench.addSongs(songs, in: name, album: name)
    }
    for name in ["a", "b", "c"] { try start(bench, [name]) }
    #expect(labels(bench) == ["a", "b", "c"])
    try start(bench, ["d"])
    // Even without `a` and `b`, there are six songs, which is more than the limit. So `c` is removed too.
    try bench.loop.turn(until: { self.labels(bench) == ["d"] })
    #expect(try bench.titles(.songs).count == 4)
  }

  @Test func aStartWithTheSameVolumes_writesNothing() throws {
    let bench = try bench()
    for name in ["a", "b"] { try bench.addSongs(1, in: name, album: name) }
    try start(bench, ["a", "b"])
    let numbers = try seen(bench)
    bench.service.shutDown()
    let before = try bench.folder.read("library/library.db")
    try start(bench, ["b", "a"])
    #expect(try seen(bench) == numbers)
    bench.service.shutDown()
    #expect(try bench.folder.read("library/library.db") == before)
    try start(bench, ["b"])
    let later = try seen(bench)
    #expect(later["a"] == numbers["a"])
    #expect(try #require(later["b"]) > (try #require(numbers["b"])))
  }
}
