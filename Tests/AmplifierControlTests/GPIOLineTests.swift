import AmplifierControl
import AudioEngine
import CGPIO
import Foundation
import TestKit
import Testing

/// What can be said without a chip: what is asked of the kernel, and what is said where there is
/// none. That a line follows is for a machine that has one.
struct GPIOLineTests {
  private func error(_ line: GPIOLine) -> SinkError? {
    #expect(throws: SinkError.self) { try line.setMuted(true) }
  }

  @Test func setMuted_noSuchChip_saysWhich() throws {
    let folder = try TemporaryFolder()
    let line = GPIOLine(
      .init(chip: "gpiochip7", line: .offset(17)), folder: folder.url.path)
    let path = folder.path("gpiochip7")
    #expect(error(line) == SinkError("\(path) cannot be opened: No such file or directory"))
  }

  @Test func setMuted_aFileThatIsNoChip_saysSo() throws {
    let folder = try TemporaryFolder()
    try folder.write("gpiochip7", [])
    let line = GPIOLine(
      .init(chip: "gpiochip7", line: .offset(17)), folder: folder.url.path)
    #expect(error(line) == SinkError("\(folder.path("gpiochip7")) is no GPIO chip"))
  }

  @Test func setMuted_byNameWithoutAChip_saysThatThereIsNone() throws {
    let folder = try TemporaryFolder()
    let line = GPIOLine(.init(line: .name("AMP_MUTE")), folder: folder.url.path)
    #expect(error(line) == SinkError("there is no GPIO chip in \(folder.url.path)"))
  }

  @Test func setMuted_noLineOfThatName_saysWhereItLooked() throws {
    let folder = try TemporaryFolder()
    for name in ["gpiochip10", "gpiochip2", "gpiochipX", "other"] { try folder.write(name, []) }
    let line = GPIOLine(.init(line: .name("AMP_MUTE")), folder: folder.url.path)
    #expect(
      error(line) == SinkError("no GPIO line is called AMP_MUTE, of gpiochip2, gpiochip10"))
  }

  @Test func setMuted_failedOnce_looksForTheLineAgain() throws {
    let folder = try TemporaryFolder()
    let line = GPIOLine(.init(line: .name("AMP_MUTE")), folder: folder.url.path)
    let first = error(line)
    try folder.write("gpiochip0", [])
    #expect(error(line) != first)
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func output_ofALine_isThatLineWithItsLevelFromTheBeginning(isActiveLow: Bool, isActive: Bool) {
    let request = cgpio_output(17, "autoharp", isActiveLow, isActive)
    #expect(request.num_lines == 1)
    #expect(request.offsets.0 == 17)
    #expect(request.event_buffer_size == 0)
    let consumer = withUnsafeBytes(of: request.consumer) { Array($0.prefix { $0 != 0 }) }
    #expect(consumer == Array("autoharp".utf8))
    // Output is bit 3, active low bit 1 (linux/gpio.h).
    #expect(request.config.flags == (isActiveLow ? 0b1010 : 0b1000))
    #expect(request.config.num_attrs == 1)
    #expect(request.config.attrs.0.mask == 1)
    #expect(request.config.attrs.0.attr.id == 2)
    #expect(request.config.attrs.0.attr.values == (isActive ? 1 : 0))
  }
}
