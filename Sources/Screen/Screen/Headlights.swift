internal import EventLoop
internal import GPIO
internal import Glibc

/// How lines of the board are had and read: the seam to the kernel.
package struct HeadlightLines {
  /// Gives a descriptor that can be read when the line has changed.
  var open: (GPIOLineChoice) throws(GPIOError) -> Int32
  /// Of that descriptor; nil where the chip does not say.
  var isActive: (Int32) -> Bool?
  /// Makes it quiet again; false where the line has gone.
  var takeChanges: (Int32) -> Bool

  /// The machine's.
  package static var machine: HeadlightLines {
    HeadlightLines(
      open: { choice throws(GPIOError) in try GPIOChip.input(choice) },
      isActive: GPIOLevel.isActive, takeChanges: GPIOLevel.takeChanges)
  }
}

/// Whether the car's lights are on, as a line of the board says.
///
/// Control thread; nothing in it waits. A line that is not there, or not ours yet because udev starts
/// late, is tried again while somebody asks.
final class Headlights {
  /// How often a line is tried again.
  static let retryInterval = Duration.seconds(5)

  /// Called when ``areOn`` may be another.
  var onChange: (() -> Void)?
  /// Called with what an operator should know: why there is no line, once for each reason.
  var onNotice: ((String) -> Void)?
  /// Nil where nobody knows.
  private(set) var areOn: Bool?
  /// When ``retry(at:)`` has something to do; nil for never.
  private(set) var nextTry: Duration?

  private let loop: EventLoop
  private let lines: HeadlightLines
  private var choice: GPIOLineChoice?
  private var descriptor: Int32?
  private var changes: DescriptorSource?
  private var lastTrouble = ""

  init(_ loop: EventLoop, _ lines: HeadlightLines) {
    self.loop = loop
    self.lines = lines
  }

  deinit { close() }

  /// This line counts from now on; nil for none. The same again does nothing.
  func choose(_ choice: GPIOLineChoice?) {
    guard choice != self.choice else { return }
    close()
    self.choice = choice
    lastTrouble = ""
    areOn = nil
    nextTry = choice == nil ? nil : .zero
  }

  /// Opens the line where it is time to.
  func retry(at now: Duration) {
    guard let choice, descriptor == nil, let due = nextTry, now >= due else { return }
    nextTry = now + Self.retryInterval
    do throws(GPIOError) {
      let line = try lines.open(choice)
      guard
        let source = try? DescriptorSource(
          loop, descriptor: line, { [weak self] _ in self?.changed(line) })
      else {
        Glibc.close(line)
        return tell("\(choice.address.words) cannot be waited for")
      }
      descriptor = line
      changes = source
      nextTry = nil
      lastTrouble = ""
      areOn = lines.isActive(line)
    } catch {
      tell(error.words)
    }
  }

  private func changed(_ line: Int32) {
    if lines.takeChanges(line) {
      areOn = lines.isActive(line)
    } else {
      close()
      areOn = nil
      nextTry = .zero
      tell("the line of the headlights has gone")
    }
    onChange?()
  }

  private func tell(_ trouble: String) {
    guard trouble != lastTrouble else { return }
    lastTrouble = trouble
    onNotice?("headlights: \(trouble)")
  }

  private func close() {
    changes?.cancel()
    changes = nil
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }
}
