import TestKit

@testable import CarLines
@testable import GPIO

/// A car whose GPIO lines are pipes that carry the events of the kernel. A line is identified by its number on
/// `gpiochip0`.
final class PipedCar {
  private var lines: [UInt32: PipedLine] = [:]
  /// For each number of a line, the time in milliseconds that a change must last.
  private(set) var settle: [UInt32: Int] = [:]
  /// The numbers of the lines that cannot be opened.
  var broken: Set<UInt32> = []
  /// Both contacts of the rotary encoder: lines 5 and 6.
  let encoder = PipedLine([5: false, 6: false])

  /// The number of the line that `choice` names.
  private static func number(_ choice: GPIOLineChoice) -> UInt32 {
    if case .offset(let number) = choice.address.line { number } else { .max }
  }

  static func line(_ number: UInt32) -> GPIOLineChoice {
    GPIOLineChoice(GPIOAddress(chip: "gpiochip0", line: .offset(number)))
  }

  /// The wire of the line with this number. The wire is inactive at first.
  func wire(_ number: UInt32) -> PipedLine {
    if let line = lines[number] { return line }
    let line = PipedLine([number: false])
    lines[number] = line
    return line
  }

  func move(_ number: UInt32, _ isActive: Bool) { wire(number).move(number, isActive) }

  var access: CarLineAccess {
    CarLineAccess(
      lines: { settle in
        // The number of the line for each descriptor that was opened.
        var opened: [Int32: UInt32] = [:]
        return LineAccess(
          open: { [self] choice throws(GPIOError) in
            let number = Self.number(choice)
            self.settle[number] = settle
            guard !broken.contains(number), let descriptor = wire(number).request() else {
              throw GPIOError("no line \(number)")
            }
            opened[descriptor] = number
            return descriptor
          },
          isActive: { [self] in opened[$0].flatMap { wire($0).levels[$0] } },
          takeChanges: GPIOLevel.takeChanges)
      },
      pair: PairAccess(
        open: { [encoder] first, _ throws(GPIOError) in
          guard let descriptor = encoder.request() else { throw GPIOError("no encoder") }
          return GPIOPair(descriptor: descriptor, firstOffset: Self.number(first))
        },
        levels: { [encoder] _ in
          guard let first = encoder.levels[5], let second = encoder.levels[6] else { return nil }
          return (first, second)
        }),
      hold: PowerHoldAccess(
        kept: { [] }, open: { _ throws(GPIOError) in throw GPIOError("no line") },
        set: { _, _ in 0 }, keep: { _, _ in }, drop: { _, _ in }, note: { _ in }),
      notes: nil)
  }
}
