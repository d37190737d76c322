public import AudioCodecs
internal import CRealtime

/// A sink without a device that takes frames in real time: what is heard where there is no sound
/// card, and a clock for tests.
public final class NullSink: AudioSink, @unchecked Sendable {
  private let periodFrames: Int
  private let bufferFrames: Int
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  private var rate = 48000

  /// - Parameters:
  ///   - periodFrames: frames taken at a time.
  ///   - bufferFrames: frames held, as a device would; at least two periods.
  public init(periodFrames: Int = 512, bufferFrames: Int = 2048) {
    self.periodFrames = periodFrames
    self.bufferFrames = max(bufferFrames, 2 * periodFrames)
  }

  deinit { buffer.deallocate() }

  /// See ``AudioSink/name``.
  public var name: String { "null" }

  /// Takes anything as 32 bits.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    let format = DeviceFormat(
      sampleRate: wanted.sampleRate, layout: wanted.layout, samples: .s32,
      periodFrames: periodFrames, bufferFrames: bufferFrames)
    buffer.deallocate()
    buffer = .allocate(byteCount: periodFrames * format.frameBytes, alignment: 16)
    buffer.initializeMemory(
      as: UInt8.self, repeating: 0, count: periodFrames * format.frameBytes)
    rate = wanted.sampleRate
    return format
  }

  /// See ``AudioSink/run(_:)``.
  @_noLocks public func run(_ renderer: Renderer) -> SinkExit {
    // The device has played `frames(now − start)` frames; it holds what it was given beyond.
    var start = rt_monotonic_ns()
    var given = 0
    while true {
      let now = rt_monotonic_ns()
      var held = given &- frames(now &- start)
      if held < 0 {
        // Late by more than the buffer: a real device would have run dry.
        if given > 0 { renderer.noteXrun() }
        start = now
        given = 0
        held = 0
      }
      if held &+ periodFrames > bufferFrames {
        rt_sleep_until(now &+ nanoseconds(held &+ periodFrames &- bufferFrames))
        continue
      }
      let count = renderer.render(into: buffer, frames: periodFrames, pads: true)
      given &+= count
      renderer.handedOver(deviceDelay: held &+ count)
      if renderer.mustLeave {
        rt_sleep_until(now &+ nanoseconds(held &+ count))
        return .left
      }
    }
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
