internal import AudioEngine
internal import EventLoop
internal import Threads

/// The amplifier as its device reports it.
enum AmplifierReading: Hashable, Sendable {
  case on
  case muted
  /// The device cannot be read, with the reason for people.
  case unreadable(String)

  init(_ amplifier: any Amplifier) {
    do throws(SinkError) {
      self = try amplifier.isMuted() ? .muted : .on
    } catch {
      self = .unreadable(error.reason)
    }
  }
}

/// Reads the amplifier once. The card of a mixer may not answer, so a thread reads it.
final class AmplifierReader {
  /// The maximum time of the reading.
  private static let limit = Duration.milliseconds(500)

  private var task: BackgroundTask<AmplifierReading>?
  private var timer: TimerSource?
  private let completion: (AmplifierReading) -> Void

  /// - Parameter completion: called once by the loop, at the latest when the time limit has passed.
  init(
    _ loop: EventLoop, _ amplifier: any Amplifier, completion: @escaping (AmplifierReading) -> Void
  ) {
    self.completion = completion
    let timer = TimerSource(loop, clock: .monotonic) { [weak self] in
      self?.finish(.unreadable("the device does not answer"))
    }
    self.timer = timer
    timer.set(after: Self.limit)
    do throws(SystemError) {
      task = try BackgroundTask(loop, "amplifier") {
        AmplifierReading(amplifier)
      } completion: { [weak self] in
        self?.finish($0)
      }
    } catch {
      timer.set(after: .zero)
    }
  }

  private func finish(_ reading: AmplifierReading) {
    guard timer != nil else { return }
    timer = nil
    task = nil
    completion(reading)
  }
}
