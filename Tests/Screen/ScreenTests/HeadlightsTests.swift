import EventLoop
import Foundation
import GPIO
import ScreenDisplay
import Testing

@testable import Screen

/// A board with one GPIO line. A pipe replaces the line.
private final class Board {
  var isPresent = true
  var level: Bool? = false
  private(set) var opened = 0
  private var ends: [Int32] = [-1, -1]

  deinit { unplug() }

  var lines: HeadlightLines {
    HeadlightLines(
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

@Suite struct HeadlightsTests {
  private let line = GPIOLineChoice(GPIOAddress(line: .name("LIGHTS")))

  private func turn(_ loop: EventLoop, until condition: () -> Bool) throws {
    for _ in 0..<100 where !condition() { try loop.step(timeout: .milliseconds(100)) }
    #expect(condition())
  }

  @Test func level_isReadAtOnce_andAfterEachChange() throws {
    let loop = EventLoop()
    let board = Board()
    let headlights = Headlights(loop, board.lines)
    var changes = 0
    headlights.onChange = { changes += 1 }
    headlights.retry(at: .zero)
    #expect(board.opened == 0 && headlights.areOn == nil)
    headlights.choose(line)
    headlights.retry(at: .zero)
    #expect(headlights.areOn == false && headlights.nextTry == nil)
    board.turn(true)
    try turn(loop) { changes == 1 }
    #expect(headlights.areOn == true)
    board.turn(false)
    try turn(loop) { changes == 2 }
    #expect(headlights.areOn == false)
    headlights.choose(nil)
    #expect(headlights.areOn == nil)
  }

  @Test func missingLine_isRetried_andReportedOnce() {
    let board = Board()
    board.isPresent = false
    let headlights = Headlights(EventLoop(), board.lines)
    var lines: [(event: ScreenEvent, words: String)] = []
    headlights.onLog = { lines.append(($0, $1)) }
    headlights.choose(line)
    headlights.retry(at: .seconds(1))
    #expect(headlights.nextTry == .seconds(6))
    headlights.retry(at: .seconds(2))
    #expect(board.opened == 1)
    headlights.retry(at: .seconds(6))
    #expect(board.opened == 2)
    #expect(lines.map(\.event) == [.headlightsFailed])
    #expect(lines.first?.words.contains("/nonexistent") == true)
    board.isPresent = true
    headlights.retry(at: .seconds(11))
    #expect(headlights.areOn == false)
  }

  @Test func removedLine_isUnknown_andSearchedAgain() throws {
    let loop = EventLoop()
    let board = Board()
    let headlights = Headlights(loop, board.lines)
    var changes = 0
    headlights.onChange = { changes += 1 }
    headlights.choose(line)
    headlights.retry(at: .zero)
    board.unplug()
    try turn(loop) { changes == 1 }
    #expect(headlights.areOn == nil && headlights.nextTry == .zero)
    headlights.retry(at: .seconds(1))
    #expect(board.opened == 2 && headlights.areOn == false)
  }
}
