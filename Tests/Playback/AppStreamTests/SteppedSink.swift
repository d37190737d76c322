import AudioCodecs
import AudioEngine
import Synchronization
import Threads

/// A sink that takes as many frames from the engine's threads as the test permits, and keeps them. It has the format of
/// the track, with samples of four bytes.
final class SteppedSink: AudioSink {
  private struct State {
    var permitted = 0
    var samples: [UInt32] = []
    var fails = false
    var openCount = 0
  }

  private let state = Mutex(State())
  private let wake = WakeUp()
  private static let periodFrames = 256

  var name: String { "stepped" }
  var dataWake: WakeUp? { wake }

  /// The samples of all frames so far.
  var samples: [UInt32] { state.withLock { $0.samples } }

  /// Number of times that the device was opened.
  var openCount: Int { state.withLock { $0.openCount } }

  /// Takes this number of further frames.
  func permit(_ frames: Int) {
    state.withLock { $0.permitted += frames }
    wake.signal()
  }

  /// The device is lost. The next device differs from it, so the engine must decode again what it has buffered.
  func fail() {
    state.withLock { $0.fails = true }
    wake.signal()
  }

  func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    let count = state.withLock { state in
      state.openCount += 1
      return state.openCount
    }
    var format = DeviceFormat(
      sampleRate: wanted.sampleRate, layout: wanted.layout,
      samples: wanted.encoding == .float ? .float : .s32, periodFrames: Self.periodFrames,
      bufferFrames: Self.periodFrames)
    format.mixedChannels = [2 + count]
    return format
  }

  func run(_ renderer: Renderer) -> SinkExit {
    var period = [UInt32](repeating: 0, count: Self.periodFrames * 2)
    while true {
      let (fails, wanted) = state.withLock { state in
        defer { state.fails = false }
        return (state.fails, min(state.permitted, Self.periodFrames))
      }
      if fails { return .failed(19 /* ENODEV */) }
      let count = period.withUnsafeMutableBytes {
        renderer.render(into: $0.baseAddress!, frames: wanted, pads: false)
      }
      state.withLock { state in
        state.permitted -= count
        state.samples += period[..<(count * 2)]
      }
      renderer.handedOver(deviceDelay: 0)
      if renderer.mustLeave { return .left }
      // The engine signals new frames only to a sink that has announced that it waits for them.
      if count == 0 { wake.wait(milliseconds: 5) }
    }
  }

  func close(draining: Bool) {}
}
