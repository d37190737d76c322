package import EventLoop
package import GPIO
internal import Glibc

/// A wire of the car at a GPIO line. If the line cannot be opened, for example because udev has not permitted access
/// yet, this object tries again.
///
/// - Thread: the control thread. No method blocks.
package final class InputLine {
  /// Called when ``isActive`` has changed.
  package var onChange: (() -> Void)?
  /// Called if the GPIO line cannot be used, with the reason as a sentence for the operator. Not called again as long
  /// as the reason stays the same.
  package var onFailure: ((String) -> Void)? {
    get { retry?.onFailure }
    set { retry?.onFailure = newValue }
  }
  /// True if the line is active; nil if unknown, or if no line is used.
  package private(set) var isActive: Bool?

  private let loop: EventLoop
  private let lines: LineAccess
  /// The line in use. Nil if no line is used.
  package private(set) var choice: GPIOLineChoice?
  private var descriptor: Int32?
  private var changes: DescriptorSource?
  private var retry: LineRetry?

  package init(
    _ loop: EventLoop, _ lines: LineAccess, retryInterval: Duration = .seconds(5)
  ) {
    self.loop = loop
    self.lines = lines
    retry = LineRetry(loop, firstWait: retryInterval) { [weak self] in self?.openLine() }
  }

  deinit { close() }

  /// Uses this line from now on. If `choice` is nil, no line is used. Does nothing if `choice` is the line in use.
  package func choose(_ choice: GPIOLineChoice?) {
    guard choice != self.choice else { return }
    close()
    retry?.reset()
    self.choice = choice
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
        retry?.failed("changes of \(choice.address.text) cannot be monitored")
        return
      }
      descriptor = line
      changes = source
      retry?.reset()
      set(lines.isActive(line))
    } catch {
      retry?.failed(error.message)
    }
  }

  private func changed(_ line: Int32) {
    if lines.takeChanges(line) {
      set(lines.isActive(line))
    } else {
      close()
      set(nil)
      retry?.failed("\(choice?.address.text ?? "the GPIO line") was removed")
    }
  }

  private func set(_ isActive: Bool?) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    onChange?()
  }

  private func close() {
    changes?.cancel()
    changes = nil
    if let descriptor { Glibc.close(descriptor) }
    descriptor = nil
  }
}
