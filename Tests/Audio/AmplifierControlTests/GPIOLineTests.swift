import AmplifierControl
import AudioEngine
import Foundation
import GPIO
import TestKit
import Testing

/// Tests the errors if there is no GPIO chip. To check whether a line changes, a test would need a machine with a chip.
struct GPIOLineTests {
  private func error(_ line: GPIOLine) -> SinkError? {
    #expect(throws: SinkError.self) { try line.setMuted(true) }
  }

  @Test func setMuted_missingChip_namesTheChip() throws {
    let folder = try TemporaryFolder()
    let line = GPIOLine(
      .init(chip: "gpiochip7", line: .offset(17)), folder: folder.url.path)
    let path = folder.path("gpiochip7")
    #expect(error(line)?.reason.contains(path) == true)
  }

  @Test func setMuted_fileThatIsNoChip_namesTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("gpiochip7", [])
    let line = GPIOLine(
      .init(chip: "gpiochip7", line: .offset(17)), folder: folder.url.path)
    #expect(error(line)?.reason.contains(folder.path("gpiochip7")) == true)
  }

  @Test func isMuted_lineThatWasNotRequested_cannotBeRead() throws {
    let line = GPIOLine(.init(chip: "gpiochip7", line: .offset(17)))
    #expect(throws: SinkError.self) { try line.isMuted() }
  }

  @Test func setMuted_byNameWithoutAnyChip_namesTheFolder() throws {
    let folder = try TemporaryFolder()
    let line = GPIOLine(.init(line: .name("AMP_MUTE")), folder: folder.url.path)
    #expect(error(line)?.reason.contains(folder.url.path) == true)
  }

  @Test func setMuted_unknownLineName_listsTheSearchedChips() throws {
    let folder = try TemporaryFolder()
    for name in ["gpiochip10", "gpiochip2", "gpiochipX", "other"] { try folder.write(name, []) }
    let line = GPIOLine(.init(line: .name("AMP_MUTE")), folder: folder.url.path)
    let reason = try #require(error(line)).reason
    #expect(reason.contains("AMP_MUTE"))
    #expect(reason.contains("gpiochip2, gpiochip10"))
  }

  @Test func setMuted_failedOnce_searchesForTheLineAgain() throws {
    let folder = try TemporaryFolder()
    let line = GPIOLine(.init(line: .name("AMP_MUTE")), folder: folder.url.path)
    let first = error(line)
    try folder.write("gpiochip0", [])
    #expect(error(line) != first)
  }
}
