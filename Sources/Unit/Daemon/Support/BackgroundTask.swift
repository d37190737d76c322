internal import EventLoop
internal import Synchronization
internal import Threads

/// Computes a value on a thread of its own, so that a medium that does not answer does not block the control thread. If
/// the task object is released before the value is computed, the value is dropped.
///
/// The control thread calls all methods. Only ``finish(within:)`` blocks.
final class BackgroundTask<Value: Sendable> {
  private final class Shared: Sendable {
    let value = Mutex<Value?>(nil)
    let wakeUp = WakeUp()
  }

  private var source: DescriptorSource?
  private let shared: Shared
  private let completion: (Value) -> Void

  /// Starts the thread.
  /// - Parameters:
  ///   - work: called on the thread. It is permitted to block.
  ///   - completion: called once by the event loop, with the value.
  init(
    _ loop: EventLoop, _ name: String, _ work: @escaping @Sendable () -> Value,
    completion: @escaping (Value) -> Void
  ) throws(SystemError) {
    let shared = Shared()
    self.shared = shared
    self.completion = completion
    source = try DescriptorSource(loop, descriptor: shared.wakeUp.descriptor, events: .readable) {
      [weak self] _ in
      shared.wakeUp.clear()
      self?.complete()
    }
    let thread = NamedThread(name) {
      let value = work()
      shared.value.withLock { $0 = value }
      shared.wakeUp.signal()
    }
    thread.detach()
  }

  deinit { source?.cancel() }

  private func complete() {
    guard source != nil, let value = shared.value.withLock({ $0 }) else { return }
    source?.cancel()
    source = nil
    completion(value)
  }

  /// Waits until the value is computed, but at most for `milliseconds`, and then calls the completion.
  func finish(within milliseconds: Int32) {
    if source != nil { shared.wakeUp.wait(milliseconds: milliseconds) }
    complete()
  }
}
