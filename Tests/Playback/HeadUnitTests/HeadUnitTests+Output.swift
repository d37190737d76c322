import Artwork
import AudioCodecs
import AudioEngine
import Foundation
@testable import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Synchronization
import SystemClock
import TestKit
import Testing

// An output that is unplugged and plugged in again.
extension HeadUnitTests {
  /// A sink that takes frames in real time. The test can unplug it.
  final class UnpluggableSink: AudioSink, @unchecked Sendable {
    let isUnplugged = Atomic(false)
    let name = "unpluggable"

    func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
      if isUnplugged.load(ordering: .relaxed) { throw SinkError("the device is unplugged") }
      return DeviceFormat(
        sampleRate: wanted.sampleRate, layout: wanted.layout, samples: .s32, periodFrames: 80,
        bufferFrames: 160)
    }

    func run(_ renderer: Renderer) -> SinkExit {
      var period = [UInt8](repeating: 0, count: 80 * 8)
      while !renderer.mustLeave {
        if isUnplugged.load(ordering: .relaxed) { return .failed(ENODEV) }
        period.withUnsafeMutableBytes {
          _ = renderer.render(into: $0.baseAddress!, frames: 80, pads: true)
        }
        renderer.handedOver(deviceDelay: 80)
        usleep(10_000)
      }
      return .left
    }

    func close(draining: Bool) {}
  }

  @Test func E7_P1_unpluggedOutput_holdsTheMusicUntilItIsPluggedIn() throws {
    let sink = UnpluggableSink()
    let bench = try Bench(["a"], seconds: 60, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isUnplugged.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    let count = bench.states.count
    let elapsed = bench.state.elapsed(at: .now())
    // If surfaces computed a position that advances, a difference of more than one second to the
    // real position would cause a publication. So wait longer than a second.
    let later = MonotonicInstant.now().advanced(by: .seconds(1.5))
    bench.wait { MonotonicInstant.now() > later }
    #expect(bench.states.count == count, "no publication without an event")
    #expect(bench.state.elapsed(at: .now()) == elapsed)
    sink.isUnplugged.store(false, ordering: .relaxed)
    bench.wait { bench.state.status == .playing }
  }

  @Test func E7_pauseWithoutOutput_staysPausedWhenItReturns() throws {
    let sink = UnpluggableSink()
    let bench = try Bench(["a"], seconds: 60, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isUnplugged.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    _ = bench.send(.media(.pause))
    #expect(bench.state.status == .paused)
    sink.isUnplugged.store(false, ordering: .relaxed)
    bench.wait { bench.unit.center.arbitration[LocalSource.sessionID]?.sound == .free }
    #expect(bench.state.status == .paused)
  }
}
