import Foundation
import TestKit
import Testing

@testable import UnitState

/// The inputs with which `Tests/Fuzz/StateFuzzer.swift` begins, and the inputs for which it has found a fault. The
/// first byte selects the kind of file.
@Suite struct StoredFileSeedTests {
  private static let folder = ProjectFile.url("Tests/Fuzz/state")

  static var names: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test(arguments: names)
  func check_seed_keepsItsPromises(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    let kind = try #require(bytes.first.flatMap(StoredFileCheck.init))
    try kind.check(Array(bytes.dropFirst()))
  }

  /// Version 3 of the saved queue has no numbers in albums.
  @Test func aQueueOfVersion3_isRead() throws {
    let file = Self.folder.appendingPathComponent("queue-version-3")
    var expected = StoredFileSamples.queue
    for index in expected.entries.indices { expected.entries[index].numberInAlbum = 0 }
    let queue = try SavedQueue(decoding: Array([UInt8](try Data(contentsOf: file)).dropFirst()))
    #expect(queue == expected)
  }

  /// Units have files in this encoding on their storage. So a change of the encoding requires a new version number.
  @Test func samples_equalTheirFiles() throws {
    var slots = [UInt8](repeating: 0, count: 3 * StateLayout.state.slotBytes)
    for number in 0..<2 {
      let slot = Slot(sequence: UInt64(number), payload: StoredFileSamples.state.encoded()).encoded
      let start = number * StateLayout.state.slotBytes
      slots.replaceSubrange(start..<start + slot.count, with: slot)
    }
    let samples: [(String, StoredFileCheck, [UInt8])] = [
      ("state", .state, StoredFileSamples.state.encoded()),
      ("queue", .queue, StoredFileSamples.queue.encoded(limit: .max).bytes),
      ("places", .recentLists, StoredFileSamples.recentLists.encoded(limit: .max)),
      ("playlist", .playlist, StoredFileSamples.playlist().encoded()),
      ("bookmarks", .playlist, StoredFileSamples.playlist(bookmark: 5).encoded()),
      ("opinions", .playlist, StoredFileSamples.playlist(halfStars: 7).encoded()),
      ("settings", .settings, Array(StoredFileSamples.settings.utf8)),
      ("slots", .slots, slots),
    ]
    for (name, kind, bytes) in samples {
      let file = Self.folder.appendingPathComponent(name)
      if ProcessInfo.processInfo.environment["AUTOHARP_RENEW_GOLDENS"] == "1" {
        try Data([kind.rawValue] + bytes).write(to: file)
      }
      #expect([UInt8](try Data(contentsOf: file)) == [kind.rawValue] + bytes, "\(name)")
    }
  }
}
