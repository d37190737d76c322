import EventLoop
import Foundation
import TestKit
import Testing

@testable import CarLines
@testable import GPIO

/// Simulates the functions of the kernel and of the service manager that the power hold uses. Like them, this object
/// outlives a run of the daemon.
private final class Machine {
  /// The copies of descriptors that the service manager keeps, by their names.
  var kept: [String: Int32] = [:]
  /// The level of each requested line, by its descriptor.
  var levels: [Int32: Bool] = [:]
  var requested: [String] = []
  var note: String?
  var isPresent = true

  var access: PowerHoldAccess {
    PowerHoldAccess(
      kept: { [self] in kept.map { ($0, $1) } },
      open: { [self] choice throws(GPIOError) in
        requested.append(choice.description)
        guard isPresent else { throw GPIOError("no line \(choice)") }
        let descriptor = Int32(100 + requested.count)
        levels[descriptor] = true
        return descriptor
      },
      set: { [self] descriptor, isActive in
        guard levels[descriptor] != nil else { return -ENODEV }
        levels[descriptor] = isActive
        return 0
      },
      keep: { [self] in kept[$0] = $1 }, drop: { [self] name, _ in kept[name] = nil },
      note: { [self] in note = $0?.description })
  }
}

@Suite struct PowerHoldTests {
  private let loop = EventLoop()
  private let machine = Machine()
  private let line = GPIOLineChoice(GPIOAddress(chip: "gpiochip0", line: .offset(17)))
  private let other = GPIOLineChoice(
    GPIOAddress(line: .name("SUPPLY:HOLD")), isActiveLow: true)

  @Test func line_isActive_keptAndNoted() {
    let hold = PowerHold(loop, machine.access)
    #expect(!hold.isHolding && machine.requested.isEmpty)
    hold.choose(line)
    #expect(hold.isHolding && machine.levels == [101: true])
    #expect(machine.kept == ["power-hold gpiochip0,17": 101])
    #expect(machine.note == "gpiochip0,17")
  }

  /// The kernel grants a line to only one request, so a second request would fail. Releasing the line before the second
  /// request would switch the unit off.
  @Test func nextRun_takesTheLineOver_withoutARequest() {
    let first = PowerHold(loop, machine.access)
    first.choose(line)
    let second = PowerHold(loop, machine.access)
    second.choose(line)
    #expect(second.isHolding && machine.requested == ["gpiochip0,17"])
    #expect(machine.levels == [101: true] && machine.kept.count == 1)
  }

  @Test func otherLine_makesTheOldOneInactive_alsoThatOfAnEarlierRun() {
    let first = PowerHold(loop, machine.access)
    first.choose(line)
    first.choose(other)
    #expect(machine.levels == [101: false, 102: true])
    // The service manager does not accept a colon in a name, so an underscore replaces the colon.
    #expect(machine.kept == ["power-hold SUPPLY_HOLD,active-low": 102])
    let second = PowerHold(loop, machine.access)
    second.choose(nil)
    #expect(!second.isHolding && machine.levels == [101: false, 102: false])
    #expect(machine.kept.isEmpty && machine.note == nil)
  }

  @Test func missingLine_isTriedAgain_andReportedOnce() throws {
    machine.isPresent = false
    let hold = PowerHold(loop, machine.access, retryInterval: .milliseconds(1))
    var failures = 0
    hold.onFailure = { _ in failures += 1 }
    hold.choose(line)
    try loop.turn { machine.requested.count == 3 }
    #expect(failures == 1 && !hold.isHolding && machine.note == nil)
    machine.isPresent = true
    try loop.turn { hold.isHolding }
    #expect(machine.kept.count == 1)
  }

  /// The chip was removed between two runs, so the kept descriptor cannot be used.
  @Test func keptLineOfARemovedChip_isRequestedAgain() throws {
    let first = PowerHold(loop, machine.access)
    first.choose(line)
    machine.levels = [:]
    let second = PowerHold(loop, machine.access, retryInterval: .milliseconds(1))
    second.choose(line)
    #expect(!second.isHolding)
    try loop.turn { second.isHolding }
    #expect(machine.requested.count == 2 && machine.kept == ["power-hold gpiochip0,17": 102])
  }

  @Test func notes_haveOneLineThatReleasePowerReads() throws {
    let text = ReleaseNotes.text(
      "gpiochip0", 4, GPIOLineChoice(line.address, isActiveLow: true, pull: .up))
    #expect(text == "gpiochip0 4 active-low pull-up\n")
    #expect(ReleaseNotes.text("gpiochip1", 17, line) == "gpiochip1 17\n")
    // If the GPIO chip is missing, `release-power` cannot release the line. So the older note for `release-power` is
    // removed.
    let folder = try TemporaryFolder()
    try folder.write("power-hold", Array("gpiochip0 1\n".utf8))
    ReleaseNotes(folder: folder.url.path).write(.hold, line, devices: folder.url.path)
    #expect(!FileManager.default.fileExists(atPath: folder.path("power-hold")))
  }
}
