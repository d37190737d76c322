import Foundation
import SQLite
import TestKit
import Testing

@testable import LibraryCovers

@Suite struct CoverStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writer(_ maximumBytes: Int = 2 << 20) throws -> CoverWriter {
    try CoverWriter(in: folder.path("."), maximumBytes: maximumBytes)
  }

  /// Size of the thumbnail database and its journal, in bytes.
  private var bytes: Int {
    ["covers.db", "covers.db-wal"].reduce(0) { sum, name in
      sum + ((try? folder.read(name).count) ?? 0)
    }
  }

  private func thumbnail(_ number: Int, bytes: Int = 6000) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* number) }
  }

  /// Adds up to `count` albums to a volume, as long as there is room. Returns the number of added albums.
  @discardableResult
  private func fill(
    _ writer: CoverWriter, _ identity: String, first: Int, count: Int, present: Set<String>
  ) throws -> Int {
    let volume = try writer.volume(identity, present: present)
    for number in 0..<count {
      guard try writer.makeRoom(present: present) else {
        try writer.commit()
        return number
      }
      let id = Int64(first + number)
      try writer.add(thumbnail(first + number), of: id)
      try writer.set(id, ofAlbum: id, volume: volume, stamp: 1)
      if number % 20 == 0 { try writer.commit() }
      #expect(bytes <= 2 << 20)
    }
    try writer.commit()
    return count
  }

  private func stored(_ ids: Range<Int>) throws -> Int {
    let reader = try CoverReader(in: folder.path("."))
    return try ids.count { try !reader.thumbnail(ofAlbum: Int64($0)).isEmpty }
  }

  @Test func volumesThatAreAbsent_giveWay_theOldestFirst() throws {
    let writer = try writer()
    for (number, name) in ["old", "middle", "new"].enumerated() {
      try fill(writer, name, first: 1000 * number + 1, count: 50, present: [name])
    }
    // The volume `old` is present once more. So `middle` is now the volume that was absent for the longest time.
    try fill(writer, "old", first: 51, count: 1, present: ["old"])
    #expect(try stored(0..<3000) == 151)
    let made = try fill(writer, "big", first: 9000, count: 30, present: ["big", "new"])
    #expect(made == 30)
    #expect(try stored(1001..<1051) < 50, "of the middle volume")
    #expect(try stored(1..<52) == 51 && stored(2001..<2051) == 50)
    #expect(try stored(9000..<9030) == 30)
    #expect(bytes <= 2 << 20)
  }

  @Test func volumesThatArePresent_keepTheirThumbnails() throws {
    let writer = try writer()
    let first = try fill(writer, "a", first: 1, count: 1000, present: ["a", "b"])
    #expect((100..<200).contains(first))
    #expect(try fill(writer, "b", first: 5000, count: 10, present: ["a", "b"]) == 0)
    #expect(try stored(1..<1001) == first)
    // The volume `a` is absent now.
    #expect(try fill(writer, "b", first: 5000, count: 10, present: ["b"]) == 10)
    #expect(bytes <= 2 << 20)
  }

  @Test func forgottenVolume_leavesNothing_butWhatOthersUse() throws {
    let writer = try writer()
    try fill(writer, "a", first: 1, count: 100, present: ["a"])
    let other = try writer.volume("b", present: ["b"])
    try writer.set(7, ofAlbum: 9000, volume: other, stamp: 1)
    try writer.commit()
    try writer.remove(volume: "a")
    #expect(try stored(1..<101) == 0)
    #expect(try CoverReader(in: folder.path(".")).thumbnail(ofAlbum: 9000) == thumbnail(7))
    #expect(try !writer.hasPicture(8) && writer.hasPicture(7))
  }

  @Test func damagedFile_isMadeAgain() throws {
    do { try fill(try writer(), "a", first: 1, count: 20, present: ["a"]) }
    for damage in 0..<4 {
      var file = try folder.read("covers.db")
      switch damage {
      case 0: file = Array("no database at all, but long enough to be read".utf8)
      case 1: file = Array(file.prefix(5000))
      case 2: for index in 100..<file.count { file[index] = 0xA5 }
      default: file = []
      }
      try folder.write("covers.db", file)
      let writer = try writer()
      #expect(try fill(writer, "a", first: 1, count: 20, present: ["a"]) == 20)
      #expect(try stored(1..<21) == 20)
    }
  }

  /// Changes without a commit are lost, as in a power cut.
  @Test func changesWithoutACommit_areDropped() throws {
    do {
      let writer = try writer()
      try fill(writer, "a", first: 1, count: 10, present: ["a"])
      let volume = try writer.volume("a", present: ["a"])
      try writer.add(thumbnail(99), of: 99)
      try writer.set(99, ofAlbum: 99, volume: volume, stamp: 1)
    }
    #expect(try stored(1..<101) == 10)
  }
}
