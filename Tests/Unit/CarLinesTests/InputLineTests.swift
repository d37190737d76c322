import EventLoop
import Foundation
import GPIO
import Testing

@testable import CarLines

/// A board with one GPIO line. A pipe replaces the line.
private final class Board {
  var isPresent = true
  var level: Bool? = false
  private(set) var opened = 0
  private var ends: [Int32] = [-1, -1]

  deinit { unplug() }

  var lines: LineAccess {
    LineAccess(
      open: { [self] _ throws(GPIOError) in
        opened += 1
        guard isPresent, pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
          // The real error for a folder without GPIO chips.
          return try GPIOChip.input(
            GPIOLineChoice(GPIOAddress(line: .name("LIGHTS"))), folder: "/nonexistent")
        }
        return ends[0]
      },
      isActive: { [self] _ in level }, takeChanges: GPIOLevel.takeChanges)
  }

  func turn(_ level: Bool) {
    self.level = level
    let event = [UInt8](repeating: 0, count: 48)
    #expect(write(ends[1], event, event.count) == event.count)
  }

  func unplug() {
    if ends[1] >= 0 { close(ends[1]) }
    ends[1] = -1
  }
}

@Suite struct InputLineTests {
  private let line = GPIOLineChoice(GPIOAddress(line: .name("LIGHTS")))

  private func turn(_ loop: EventLoop, until condition: () -> Bool) throws {
    while !condition() { try loop.step(timeout: .milliseconds(100)) }
  }

  @Test func level_isReadAtOnce_andAfterEachChange() throws {
    let loop = EventLoop()
    let board = Board()
    let wire = InputLine(loop, board.lines, retryInterval: .milliseconds(20))
    var levels: [Bool?] = []
    wire.onChange = { levels.append(wire.isActive) }
    #expect(board.opened == 0 && wire.isActive == nil)
    wire.choose(line)
    #expect(levels == [false])
    board.turn(true)
    try turn(loop) { levels.count == 2 }
    board.turn(false)
    try turn(loop) { levels.count == 3 }
    wire.choose(nil)
    #expect(levels == [false, true, false, nil])
  }

  /// The first event does not change the level, so it is not reported.
  @Test func unchangedLevel_isNotReported() throws {
    let loop = EventLoop()
    let board = Board()
    let wire = InputLine(loop, board.lines, retryInterval: .milliseconds(20))
    var levels: [Bool?] = []
    wire.onChange = { levels.append(wire.isActive) }
    wire.choose(line)
    board.turn(false)
    board.turn(true)
    try turn(loop) { levels.last == true }
    #expect(levels == [false, true])
  }

  @Test func missingLine_isRetried_andReportedOnce() throws {
    let loop = EventLoop()
    let board = Board()
    board.isPresent = false
    let wire = InputLine(loop, board.lines, retryInterval: .milliseconds(20))
    var failures: [String] = []
    wire.onFailure = { failures.append($0) }
    wire.choose(line)
    #expect(board.opened == 1)
    try turn(loop) { board.opened == 2 }
    #expect(failures.count == 1 && failures[0].contains("/nonexistent"))
    board.isPresent = true
    try turn(loop) { wire.isActive == false }
  }

  @Test func removedLine_isUnknown_andSearchedAgain() throws {
    let loop = EventLoop()
    let board = Board()
    let wire = InputLine(loop, board.lines, retryInterval: .milliseconds(20))
    var (levels, failures): ([Bool?], Int) = ([], 0)
    wire.onChange = { levels.append(wire.isActive) }
    wire.onFailure = { _ in failures += 1 }
    wire.choose(line)
    board.unplug()
    try turn(loop) { levels.count == 3 }
    #expect(levels == [false, nil, false] && failures == 1 && board.opened == 2)
  }
}
