internal import AudioEngine
internal import EventLoop
internal import Threads

/// The state of the amplifier, as its device reports it.
enum AmplifierReading: Hashable, Sendable {
  case on
  case muted
  /// The device cannot be read. The value is the reason, as text.
  case unreadable(String)

  init(_ amplifier: any Amplifier) {
    do throws(SinkError) {
      self = try amplifier.isMuted() ? .muted : .on
    } catch {
      self = .unreadable(error.reason)
    }
  }
}

/// Reads the amplifier from its device. A device such as the mixer of a sound card can fail to answer, so the device is
/// read on a separate thread. The control thread calls all methods. No call blocks.
final class AmplifierReader {
  /// The maximum time of a request.
  private static let limit = Duration.milliseconds(500)

  private let loop: EventLoop
  private let amplifier: any Amplifier
  private var task: BackgroundTask<AmplifierReading>?
  private var timer: TimerSource?
  private var completions: [(AmplifierReading) -> Void] = []

  init(_ loop: EventLoop, _ amplifier: any Amplifier) {
    self.loop = loop
    self.amplifier = amplifier
  }

  /// Reads the amplifier. `completion` is called once, at the latest when the time limit has passed.
  func read(completion: @escaping (AmplifierReading) -> Void) {
    completions.append(completion)
    let timer = TimerSource(loop, clock: .monotonic) { [weak self] in
      self?.finish(.unreadable("the device does not answer"))
    }
    timer.set(after: Self.limit)
    self.timer = timer
    // Only one thread reads at a time. So a card that never answers blocks one thread, even if many requests follow.
    guard task == nil else { return }
    task = try? BackgroundTask(loop, "amplifier") { [amplifier] in
      AmplifierReading(amplifier)
    } completion: { [weak self] in
      self?.task = nil
      self?.finish($0)
    }
  }

  private func finish(_ reading: AmplifierReading) {
    timer = nil
    let waiting = completions
    completions = []
    for completion in waiting { completion(reading) }
  }
}
