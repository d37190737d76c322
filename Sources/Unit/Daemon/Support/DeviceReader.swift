internal import EventLoop
internal import Threads

/// Reads a value from a device that can fail to answer, such as the mixer of a sound card. So the device is read on a
/// separate thread, and a reading has a time limit. The control thread calls all methods. No call blocks.
final class DeviceReader<Value: Sendable> {
  private let loop: EventLoop
  private let limit: Duration
  private let silent: Value
  private let work: @Sendable () -> Value
  private var task: BackgroundTask<Value>?
  private var timer: TimerSource?
  private var completions: [(Value) -> Void] = []

  /// - Parameters:
  ///   - limit: the maximum time of a request.
  ///   - silent: the value of a device that does not answer in time.
  ///   - work: reads the device, on any thread.
  init(
    _ loop: EventLoop, limit: Duration = .milliseconds(500), silent: Value,
    _ work: @escaping @Sendable () -> Value
  ) {
    self.loop = loop
    self.limit = limit
    self.silent = silent
    self.work = work
  }

  /// Reads the device. `completion` is called once, at the latest when the time limit has passed.
  func read(completion: @escaping (Value) -> Void) {
    completions.append(completion)
    let timer = TimerSource(loop, clock: .monotonic) { [weak self] in
      if let self { finish(silent) }
    }
    timer.set(after: limit)
    self.timer = timer
    // Only one thread reads at a time. So a device that never answers blocks one thread, even if many requests follow.
    guard task == nil else { return }
    task = try? BackgroundTask(loop, "device", work) { [weak self] in
      self?.task = nil
      self?.finish($0)
    }
  }

  private func finish(_ value: Value) {
    timer = nil
    let waiting = completions
    completions = []
    for completion in waiting { completion(value) }
  }
}
