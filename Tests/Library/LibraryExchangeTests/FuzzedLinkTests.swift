import Foundation
import TestKit
import Testing

/// Runs the stored inputs of `LibraryFuzzer`, and random inputs with fixed seeds.
@Suite struct FuzzedLinkTests {
  private static let folder = ProjectFile.url("Tests/Fuzz/library")

  @Test func inputs_ofTheFuzzer_stopNothing() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(names.count >= 20)
    var (accepted, faults) = (0, 0)
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
      try run(bytes, &accepted, &faults)
    }
    #expect(accepted > 0 && faults > 0)
  }

  @Test func randomInputs_stopNothing() throws {
    var (accepted, faults) = (0, 0)
    for seed in 0..<300 {
      var random = SeededRandom(UInt64(seed))
      let bytes = (0..<random.below(2000)).map { _ in
        // Most bytes are 0, because a byte 0 leaves a value unchanged.
        random.chance(70) ? 0 : UInt8(random.below(256))
      }
      try run(bytes, &accepted, &faults)
    }
    #expect(accepted > 100 && faults > 100, "\(accepted) accepted, \(faults) faults")
  }

  private func run(_ bytes: [UInt8], _ accepted: inout Int, _ faults: inout Int) throws {
    let folder = try TemporaryFolder()
    let link = try FuzzedLink(in: folder.path(""))
    var input = FuzzInput(bytes)
    try link.run(&input)
    accepted += link.accepted
    faults += link.faults
  }
}
