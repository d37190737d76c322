internal import EventLoop
internal import GPIO
internal import Glibc

/// Opens and reads GPIO lines. Tests replace these functions.
struct HeadlightLines {
  /// Returns a descriptor that becomes readable when the line changes.
  var open: (GPIOLineChoice) throws(GPIOError) -> Int32
  /// The level of the line of this descriptor; nil if the chip does not report it.
  var isActive: (Int32) -> Bool?
  /// Consumes the pending changes. Returns false if the line was removed.
  var takeChanges: (Int32) -> Bool

  /// The GPIO lines of this machine.
  static var machine: HeadlightLines {
    HeadlightLines(
      open: { choice throws(GPIOError) in try GPIOChip.input(choice) },
      isActive: GPIOLevel.isActive, takeChanges: GPIOLevel.takeChanges)
  }
}

/// Reads from a GPIO line whether the headlights of the car are on. If the line cannot be opened,
/// because it does not exist yet or udev has not given access to it yet, this object tries again.
///
/// - Thread: the control thread. No method blocks.
final class Headlights {
  /// Called when ``areOn`` may have changed.
  var onChange: (() -> Void)?
  /// Called if the GPIO line cannot be used, with the reason as a sentence for the operator. Not
  /// called again as long as the reason stays the same.
  var onFailure: ((String) -> Void)?
  /// True if the headlights are on; nil if unknown.
  private(set) var areOn: Bool?

  private let loop: EventLoop
  private let lines: HeadlightLines
  /// The interval of attempts to open the line.
  private let retryInterval: Duration
  private var choice: GPIOLineChoice?
  private var descriptor: Int32?
  private var changes: DescriptorSource?
  private var retryTimer: TimerSource?
  private var lastFailure = ""

  init(
    _ loop: EventLoop, _ lines: HeadlightLines = .machine, retryInterval: Duration = .seconds(5)
  ) {
    self.loop = loop
    self.retryInterval = retryInterval
    self.lines = lines
    retryTimer = TimerSource(loop) { [weak self] in self?.openLine() }
  }

  deinit { close() }

  /// Uses this line from now on. If `choice` is nil, no line is used. Does nothing if `choice` is
  /// the same as before.
  func choose(_ choice: GPIOLineChoice?) {
    guard choice != self.choice else { return }
    close()
    retryTimer?.stop()
    self.choice = choice
    lastFailure = ""
    set(nil)
    openLine()
  }

  private func openLine() {
    guard let choice, descriptor == nil else { return }
    do throws(GPIOError) {
      let line = try lines.open(choice)
      guard
        let source = try? DescriptorSource(
          loop, descriptor: line, { [weak self] _ in self?.changed(line) })
      else {
        Glibc.close(line)
        return fail("changes of \(choice.address.text) cannot be monitored")
      }
      descriptor = line
      changes = source
      lastFailure = ""
      set(lines.isActive(line))
    } catch {
      fail(error.message)
    }
  }

  private func changed(_ line: Int32) {
    if lines.takeChanges(line) {
      set(lines.isActive(line))
    } else {
      close()
      set(nil)
      fail("the GPIO line of the headlights was removed")
    }
  }

  private func set(_ areOn: Bool?) {
    guard areOn != self.areOn else { return }
    self.areOn = areOn
    onChange?()
  }

  private func fail(_ failure: String) {
    retryTimer?.set(after: retryInterval)
    guard failure != lastFailure else { return }
    lastFailure = failure
    onFailure?(failure)
  }

  private func close() {
    changes?.cancel()
    changes = nil
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }
}
