public import AudioCodecs
internal import CRealtime

/// A sink that takes frames in real time and drops them. It is used if there is no sound card, and as a clock for
/// tests.
public final class NullSink: AudioSink, @unchecked Sendable {
  /// The highest rate of this sink. Sound cards have no higher rate.
  private static let highestRate = 768_000

  private let periodFrames: Int
  private let bufferMilliseconds: Int
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  private var rate = 48000
  private var period = 1
  private var held = 2

  /// - Parameters:
  ///   - periodFrames: number of frames that are taken at a time. The sink limits it to the range from 1 ms to 50 ms of
  ///     sound.
  ///   - bufferMilliseconds: the duration of the sound that the sink holds, like the buffer of a device. The minimum is
  ///     two periods.
  public init(periodFrames: Int = 512, bufferMilliseconds: Int = 50) {
    self.periodFrames = periodFrames
    self.bufferMilliseconds = bufferMilliseconds
  }

  deinit { buffer.deallocate() }

  public var name: String { "null" }

  /// Takes any format up to 768 kHz unchanged, as 32-bit samples.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    // A file can state a rate of four billion Hz. This rate would need all of the processor's time, so the rate is
    // limited.
    rate = min(wanted.sampleRate, Self.highestRate)
    // At 1 Hz a period of the usual size would take eight minutes, so the duration of a period is limited.
    period = max(1, min(max(periodFrames, rate / 1000), rate / 20))
    held = max(2 * period, rate * bufferMilliseconds / 1000)
    let format = DeviceFormat(
      sampleRate: rate, layout: wanted.layout, samples: .s32, periodFrames: period,
      bufferFrames: held)
    buffer.deallocate()
    buffer = .allocate(byteCount: period * format.frameBytes, alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: period * format.frameBytes)
    return format
  }

  @_noLocks public func run(_ renderer: Renderer) -> SinkExit {
    // The simulated device has played `frames(now − start)` frames. It holds the rest of `writtenFrames`.
    var start = rt_monotonic_ns()
    var writtenFrames = 0
    while true {
      let now = rt_monotonic_ns()
      var ahead = writtenFrames &- frames(now &- start)
      if ahead < 0 {
        // All frames are played, and the next frame is late. A real device would have run dry.
        if writtenFrames > 0 { renderer.countXrun() }
        start = now
        writtenFrames = 0
        ahead = 0
      }
      if renderer.mustStop { return .left }
      if renderer.mustLeave {
        // The frames that were handed over must be played before the device changes.
        if ahead == 0 { return .left }
        sleep(now, ahead)
        continue
      }
      if ahead &+ period > held {
        sleep(now, ahead &+ period &- held)
        continue
      }
      let count = renderer.render(into: buffer, frames: period, pads: true)
      writtenFrames &+= count
      renderer.handedOver(deviceDelay: ahead &+ count)
    }
  }

  /// Sleeps for the duration of `frames` frames, but at most 50 ms, because the engine can stop in this time.
  @_noLocks private func sleep(_ now: Int64, _ frames: Int) {
    let whole = nanoseconds(frames) &+ 1
    let step: Int64 = 50_000_000
    rt_sleep_until(now &+ (whole < step ? whole : step))
  }

  /// Does nothing, because there is no device.
  public func close(draining: Bool) {}

  @_noLocks private func frames(_ nanoseconds: Int64) -> Int {
    Int(Double(nanoseconds) * 1e-9 * Double(rate))
  }

  @_noLocks private func nanoseconds(_ frames: Int) -> Int64 {
    Int64(Double(frames) * 1e9 / Double(rate))
  }
}
