public import AudioCodecs
internal import CRealtime

/// A sink without a device that takes frames in real time: what is heard where there is no sound
/// card, and a clock for tests.
public final class NullSink: AudioSink, @unchecked Sendable {
  /// The highest rate that sound cards have.
  private static let highestRate = 768_000

  private let periodFrames: Int
  private let bufferMilliseconds: Int
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  private var rate = 48000
  private var period = 1
  private var held = 2

  /// - Parameters:
  ///   - periodFrames: frames taken at a time, where that is 1 to 50 ms; else what comes nearest.
  ///   - bufferMilliseconds: how much is held, as a device would; at least two periods are.
  public init(periodFrames: Int = 512, bufferMilliseconds: Int = 50) {
    self.periodFrames = periodFrames
    self.bufferMilliseconds = bufferMilliseconds
  }

  deinit { buffer.deallocate() }

  /// See ``AudioSink/name``.
  public var name: String { "null" }

  /// Takes anything up to 768 kHz as it is, as 32 bits.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    // A file can say four billion. Who kept up with that would do nothing else.
    rate = min(wanted.sampleRate, Self.highestRate)
    // At 1 Hz a period of the usual size would take eight minutes.
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

  /// See ``AudioSink/run(_:)``.
  @_noLocks public func run(_ renderer: Renderer) -> SinkExit {
    // The device has played `frames(now − start)` frames; it holds what it was given beyond.
    var start = rt_monotonic_ns()
    var given = 0
    while true {
      let now = rt_monotonic_ns()
      var ahead = given &- frames(now &- start)
      if ahead < 0 {
        // Late by more than the buffer: a real device would have run dry.
        if given > 0 { renderer.noteXrun() }
        start = now
        given = 0
        ahead = 0
      }
      if renderer.mustStop { return .left }
      if renderer.mustLeave {
        // What was handed over is played out before the device may change.
        if ahead == 0 { return .left }
        sleep(now, ahead)
        continue
      }
      if ahead &+ period > held {
        sleep(now, ahead &+ period &- held)
        continue
      }
      let count = renderer.render(into: buffer, frames: period, pads: true)
      given &+= count
      renderer.handedOver(deviceDelay: ahead &+ count)
    }
  }

  /// Waits for `frames` frames' time, in steps, as the engine may want to stop.
  @_noLocks private func sleep(_ now: Int64, _ frames: Int) {
    let whole = nanoseconds(frames) &+ 1
    let step: Int64 = 50_000_000
    rt_sleep_until(now &+ (whole < step ? whole : step))
  }

  /// Nothing to let go of.
  public func close(draining: Bool) {}

  @_noLocks private func frames(_ nanoseconds: Int64) -> Int {
    Int(Double(nanoseconds) * 1e-9 * Double(rate))
  }

  @_noLocks private func nanoseconds(_ frames: Int) -> Int64 {
    Int64(Double(frames) * 1e9 / Double(rate))
  }
}
