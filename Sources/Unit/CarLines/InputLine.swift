package import EventLoop
package import GPIO
internal import Glibc

/// A wire of the car at a GPIO line. If the line cannot be opened, because it does not exist yet or udev
/// has not given access to it yet, this object tries again.
///
/// - Thread: the control thread. No method blocks.
package final class InputLine {
  /// Called when ``isActive`` may have changed.
  package var onChange: (() -> Void)?
  /// Called if the GPIO line cannot be used, with the reason as a sentence for the operator. Not
  /// called again as long as the reason stays the same.
  package var onFailure: ((String) -> Void)?
  /// True if the line is active; nil if unknown, or if no line is used.
  package private(set) var isActive: Bool?

  private let loop: EventLoop
  private let lines: LineAccess
  /// The interval of attempts to open the line.
  private let retryInterval: Duration
  /// The line; nil for none.
  package private(set) var choice: GPIOLineChoice?
  private var descriptor: Int32?
  private var changes: DescriptorSource?
  private var retryTimer: TimerSource?
  private var lastFailure = ""
  /// The wait before the next attempt. It grows, because a line that the board does not have never appears.
  private var wait: Duration

  package init(
    _ loop: EventLoop, _ lines: LineAccess = .machine, retryInterval: Duration = .seconds(5)
  ) {
    self.loop = loop
    self.retryInterval = retryInterval
    wait = retryInterval
    self.lines = lines
    retryTimer = TimerSource(loop) { [weak self] in self?.openLine() }
  }

  deinit { close() }

  /// Uses this line from now on. If `choice` is nil, no line is used. Does nothing if `choice` is
  /// the same as before.
  package func choose(_ choice: GPIOLineChoice?) {
    guard choice != self.choice else { return }
    close()
    retryTimer?.stop()
    self.choice = choice
    lastFailure = ""
    wait = retryInterval
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
      fail("\(choice?.address.text ?? "the GPIO line") was removed")
    }
  }

  private func set(_ isActive: Bool?) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    onChange?()
  }

  private func fail(_ failure: String) {
    retryTimer?.set(after: wait)
    wait = min(wait * 2, longestWait)
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
