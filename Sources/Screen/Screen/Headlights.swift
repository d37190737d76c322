internal import EventLoop
internal import GPIO
internal import Glibc
internal import ScreenDisplay

/// Opens and reads GPIO lines. Tests replace these functions.
package struct HeadlightLines {
  /// Returns a descriptor that becomes readable when the line changes.
  var open: (GPIOLineChoice) throws(GPIOError) -> Int32
  /// The level of the line of this descriptor; nil if the chip does not report it.
  var isActive: (Int32) -> Bool?
  /// Consumes the pending changes. Returns false if the line was removed.
  var takeChanges: (Int32) -> Bool

  /// The GPIO lines of this machine.
  package static var machine: HeadlightLines {
    HeadlightLines(
      open: { choice throws(GPIOError) in try GPIOChip.input(choice) },
      isActive: GPIOLevel.isActive, takeChanges: GPIOLevel.takeChanges)
  }
}

/// Reads from a GPIO line whether the headlights of the car are on.
///
/// - Thread: the control thread. No method blocks. If the line does not exist yet, or if udev has
///   not given access to the line yet, a later call of ``retry(at:)`` opens the line.
final class Headlights {
  /// The interval of attempts to open the line.
  static let retryInterval = Duration.seconds(5)

  /// Called when ``areOn`` may have changed.
  var onChange: (() -> Void)?
  /// Called if the GPIO line cannot be used, with the reason as a sentence for the operator. Not
  /// called again as long as the reason stays the same.
  var onLog: ScreenEvent.Log?
  /// True if the headlights are on; nil if unknown.
  private(set) var areOn: Bool?
  /// The time at which ``retry(at:)`` must be called next; nil if no call is needed.
  private(set) var nextTry: Duration?

  private let loop: EventLoop
  private let lines: HeadlightLines
  private var choice: GPIOLineChoice?
  private var descriptor: Int32?
  private var changes: DescriptorSource?
  private var lastFailure = ""

  init(_ loop: EventLoop, _ lines: HeadlightLines) {
    self.loop = loop
    self.lines = lines
  }

  deinit { close() }

  /// Uses this line from now on. If `choice` is nil, no line is used. Does nothing if `choice` is
  /// the same as before.
  func choose(_ choice: GPIOLineChoice?) {
    guard choice != self.choice else { return }
    close()
    self.choice = choice
    lastFailure = ""
    areOn = nil
    nextTry = choice == nil ? nil : .zero
  }

  /// Opens the line if an attempt is due.
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
        return logFailure("changes of \(choice.address.text) cannot be monitored")
      }
      descriptor = line
      changes = source
      nextTry = nil
      lastFailure = ""
      areOn = lines.isActive(line)
    } catch {
      logFailure(error.message)
    }
  }

  private func changed(_ line: Int32) {
    if lines.takeChanges(line) {
      areOn = lines.isActive(line)
    } else {
      close()
      areOn = nil
      nextTry = .zero
      logFailure("the GPIO line of the headlights was removed")
    }
    onChange?()
  }

  private func logFailure(_ failure: String) {
    guard failure != lastFailure else { return }
    lastFailure = failure
    onLog?(.headlightsFailed, failure)
  }

  private func close() {
    changes?.cancel()
    changes = nil
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }
}
