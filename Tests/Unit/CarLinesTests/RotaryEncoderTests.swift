import EventLoop
import TestKit
import Testing

@testable import CarLines
@testable import GPIO

/// A rotary encoder with simulated GPIO lines (``PipedLine``). Contact A is line 5, contact B is line 6.
@Suite struct RotaryEncoderTests {
  private final class Turns {
    var steps: [Int] = []
    var times: [Int64] = []
    var failures: [String] = []
  }

  private let loop = EventLoop()
  private let chip = PipedLine([5: false, 6: false])
  private let turns = Turns()

  private func encoder(_ detents: QuadratureDecoder.Detents) -> RotaryEncoder {
    let access = PairAccess(
      open: { [chip] _, _ throws(GPIOError) in
        guard let descriptor = chip.request() else { throw GPIOError("no pipe") }
        return GPIOPair(descriptor: descriptor, firstOffset: 5)
      },
      levels: { [chip] _ in
        guard let first = chip.levels[5], let second = chip.levels[6] else { return nil }
        return (first, second)
      })
    let encoder = RotaryEncoder(loop, access, retryInterval: .milliseconds(1))
    encoder.onTurn = { [turns] in
      turns.steps.append($0)
      turns.times.append($1)
    }
    encoder.onFailure = { [turns] in turns.failures.append($0) }
    encoder.choose(
      .init(
        first: GPIOLineChoice(GPIOAddress(chip: "gpiochip0", line: .offset(5))),
        second: GPIOLineChoice(GPIOAddress(chip: "gpiochip0", line: .offset(6))), detents: detents))
    return encoder
  }

  /// Turns to the right by one cycle of both contacts, which is four quarters.
  private func cycle(at nanoseconds: UInt64 = 0) {
    for (index, (line, isActive)) in Self.quarters.enumerated() {
      chip.move(line, isActive, at: nanoseconds + UInt64(index) * 1_250_000)
    }
  }

  private static let quarters: [(UInt32, Bool)] = [(5, true), (6, true), (5, false), (6, false)]

  /// 80 edges are pending when the loop reads them. One read takes at most 64 edges, so the steps arrive in two parts.
  @Test func twentyClicksWithin100Milliseconds_areTwentySteps() throws {
    let encoder = encoder(.full)
    for click in 0..<20 { cycle(at: 1_000_000_000 + UInt64(click) * 5_000_000) }
    try loop.turn { turns.steps.reduce(0, +) >= 20 }
    #expect(turns.steps == [16, 4])
    // The time of the last edge: 19 clicks of 5 ms and three quarters of 1.25 ms.
    let last: Int64 = 1_098_750_000
    #expect(turns.times.last == last)
    #expect(encoder.isOpen)
  }

  @Test(arguments: [
    (QuadratureDecoder.Detents.full, 3), (.half, 6), (.quarter, 12),
  ])
  func detents_sayHowManyStepsThreeCyclesAre(_ detents: QuadratureDecoder.Detents, _ steps: Int)
    throws
  {
    let encoder = encoder(detents)
    for _ in 0..<3 { cycle() }
    try loop.turn { !turns.steps.isEmpty }
    #expect(turns.steps == [steps] && encoder.isOpen)
  }

  @Test func contactThatBounces_causesNoFurtherStep() throws {
    let encoder = encoder(.full)
    for (line, isActive) in Self.quarters {
      for _ in 0..<3 {
        chip.move(line, isActive)
        chip.move(line, !isActive)
      }
      chip.move(line, isActive)
    }
    try loop.turn { !turns.steps.isEmpty }
    #expect(turns.steps == [1] && encoder.isOpen)
  }

  /// After the kernel has dropped edges, it is unknown how much of a click was counted. So the decoder starts again
  /// from the current levels, and the next click counts once.
  @Test func lostEdges_doNotShiftTheNextClicks() throws {
    let encoder = encoder(.full)
    chip.move(5, true)
    chip.move(6, false, lost: 2)
    chip.levels = [5: false, 6: false]
    // The loop reads all pending edges at once. So it must read the lost edges before the next click is simulated.
    try loop.step(timeout: Hang.limit)
    cycle()
    try loop.turn { !turns.steps.isEmpty }
    #expect(turns.steps == [1] && encoder.isOpen)
  }

  @Test func removedChip_isOpenedAgain_andTurnsGoOn() throws {
    let encoder = encoder(.full)
    chip.remove()
    try loop.turn { chip.requests == 2 }
    #expect(turns.failures.count == 1)
    cycle()
    try loop.turn { !turns.steps.isEmpty }
    #expect(turns.steps == [1] && encoder.isOpen)
  }

  /// If the levels of the contacts are unknown, clicks cannot be counted. So the encoder must not appear as open.
  @Test func levelsThatCannotBeRead_areAFailure_andTriedAgain() throws {
    chip.levels = [:]
    let encoder = encoder(.full)
    #expect(!encoder.isOpen && turns.failures.count == 1)
    chip.levels = [5: false, 6: false]
    try loop.turn { encoder.isOpen }
    cycle()
    try loop.turn { !turns.steps.isEmpty }
    #expect(turns.steps == [1])
  }
}
