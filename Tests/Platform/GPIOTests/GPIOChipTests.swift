import CGPIO
import Foundation
import GPIO
import TestKit
import Testing

/// These tests need no GPIO chip. They check the requests to the kernel, the reading of events, and the errors if there
/// is no chip. To check whether a line changes, a test would need a machine with a chip.
struct GPIOChipTests {
  @Test func input_missingChip_isNamed() throws {
    let folder = try TemporaryFolder()
    let choice = GPIOLineChoice(GPIOAddress(chip: "gpiochip7", line: .offset(3)))
    let error = #expect(throws: GPIOError.self) {
      _ = try GPIOChip.input(choice, folder: folder.url.path)
    }
    #expect(error?.message.contains(folder.path("gpiochip7")) == true)
  }

  @Test func input_byName_skipsFilesThatAreNoChip() throws {
    let folder = try TemporaryFolder()
    try folder.write("gpiochip3", [])
    let choice = GPIOLineChoice(GPIOAddress(line: .name("LIGHTS")))
    let error = #expect(throws: GPIOError.self) {
      _ = try GPIOChip.input(choice, folder: folder.url.path)
    }
    #expect(error?.message.contains("LIGHTS") == true)
    #expect(error?.message.contains("gpiochip3") == true)
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func output_requestsTheLineWithItsInitialLevel(isActiveLow: Bool, isActive: Bool) {
    let request = cgpio_output(17, "autoharp", isActiveLow, isActive)
    #expect(request.num_lines == 1)
    #expect(request.offsets.0 == 17)
    #expect(request.event_buffer_size == 0)
    let consumer = withUnsafeBytes(of: request.consumer) { Array($0.prefix { $0 != 0 }) }
    #expect(consumer == Array("autoharp".utf8))
    // In the flags, *output* is bit 3 and *active low* is bit 1 (linux/gpio.h).
    #expect(request.config.flags == (isActiveLow ? 0b1010 : 0b1000))
    #expect(request.config.num_attrs == 1)
    #expect(request.config.attrs.0.mask == 1)
    #expect(request.config.attrs.0.attr.id == 2)
    #expect(request.config.attrs.0.attr.values == (isActive ? 1 : 0))
  }

  /// The kernel refuses a request in which unused fields are not 0.
  @Test func level_requestsAnInputWithoutEventsAndAttributes() {
    let request = cgpio_level(17, "autoharp", true, 1)
    #expect(request.num_lines == 1 && request.offsets.0 == 17)
    // In the flags, *active low* is bit 1, *input* is bit 2 and *pull-up* is bit 8 (linux/gpio.h).
    #expect(request.config.flags == 0b1_0000_0110)
    #expect(request.config.num_attrs == 0 && request.config.attrs.0.mask == 0)
    #expect(request.event_buffer_size == 0)
  }

  @Test(arguments: [false, true])
  func input_requestsBothEdges_withDebounce(isActiveLow: Bool) {
    let request = cgpio_input(17, "autoharp", isActiveLow, 0, 50_000)
    #expect(request.num_lines == 1)
    #expect(request.offsets.0 == 17)
    #expect(request.event_buffer_size == 16)
    let consumer = withUnsafeBytes(of: request.consumer) { Array($0.prefix { $0 != 0 }) }
    #expect(consumer == Array("autoharp".utf8))
    // In the flags, *active low* is bit 1, *input* is bit 2, and the edges are bits 4 and 5 (linux/gpio.h).
    #expect(request.config.flags == (isActiveLow ? 0b110110 : 0b110100))
    #expect(request.config.num_attrs == 1)
    #expect(request.config.attrs.0.mask == 1)
    #expect(request.config.attrs.0.attr.id == 3)
    #expect(request.config.attrs.0.attr.debounce_period_us == 50_000)
  }

  @Test func pair_requestsBothLines_withTheirOwnFlags() {
    let request = cgpio_pair(
      5, cgpio_input_flags(true, 1), 6, cgpio_input_flags(false, -1), "autoharp")
    #expect(request.num_lines == 2 && request.offsets.0 == 5 && request.offsets.1 == 6)
    // *Pull up* is bit 8, and *pull down* is bit 9.
    #expect(request.config.flags == 0b1_0011_0110)
    #expect(request.config.num_attrs == 1)
    #expect(request.config.attrs.0.mask == 2 && request.config.attrs.0.attr.id == 1)
    #expect(request.config.attrs.0.attr.flags == 0b10_0011_0100)
    #expect(request.event_buffer_size == 1024)
  }

  @Test func takeChanges_readsAllEvents_andDetectsTheEnd() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    defer { close(ends[0]) }
    // Write more events than a single `read` takes.
    let events = [UInt8](repeating: 0, count: 40 * MemoryLayout<gpio_v2_line_event>.stride)
    #expect(write(ends[1], events, events.count) == events.count)
    #expect(GPIOLevel.takeChanges(ends[0]))
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == -1)
    close(ends[1])
    #expect(!GPIOLevel.takeChanges(ends[0]))
    // A pipe is not a GPIO line, so reading its level fails.
    #expect(GPIOLevel.isActive(ends[0]) == nil)
  }
}
