import AudioEngine
import EventLoop
import TestKit
import Testing
import Threads

@testable import AppStream

@Suite struct LiveStreamTests {
  private final class Bench {
    let app: AppSocket
    let stream: LiveStream
    let engine = PlaybackEngine(sink: NullSink())
    private var began: ContinuousClock.Instant?
    private(set) var hasStarted = false
    private(set) var hasEnded = false

    init(_ samples: String = "s16") throws {
      let format = try AppStreamFormat(rate: 48_000, channels: 2, samples: samples)
      app = try AppSocket(format)
      stream = LiveStream(format, app.unit)
    }

    deinit {
      stream.stop()
      engine.shutDown()
    }

    /// Sends in real time until the condition holds.
    func wait(_ condition: () -> Bool) throws {
      let begin = began ?? ContinuousClock.now
      began = begin
      let limit = ContinuousClock.now + Hang.limit
      while !condition() {
        try #require(ContinuousClock.now < limit)
        app.wanted = Int64((ContinuousClock.now - begin) / .milliseconds(10)) * 480
        app.pump()
        for event in engine.takeEvents() {
          if case .started = event { hasStarted = true }
          if case .ended = event { hasEnded = true }
          if case .needsUpcoming = event { engine.setUpcoming(nil) }
        }
        engine.wakeUp.wait(milliseconds: 2)
      }
    }
  }

  @Test(arguments: ["s16", "s32", "f32"]) func frames_areHeard(samples: String) throws {
    let bench = try Bench(samples)
    bench.engine.play(bench.stream.track(id: -1))
    #expect(bench.stream.heardFrame == 0)
    try bench.wait { bench.hasStarted && bench.stream.heardFrame > 24_000 }
    #expect(bench.stream.heardFrame <= bench.stream.counts.received)
    #expect(bench.stream.counts.broken == 0 && !bench.stream.isBroken)
  }

  @Test func finish_endsTheTrack() throws {
    let bench = try Bench()
    bench.engine.play(bench.stream.track(id: -1))
    try bench.wait { bench.stream.counts.received > 20_000 }
    bench.stream.finish(at: 40_000)
    try bench.wait { bench.hasEnded }
    #expect(!bench.stream.isBroken)
  }

  @Test func end_ofTheApp_isABreak() throws {
    let bench = try Bench()
    bench.engine.play(bench.stream.track(id: -1))
    try bench.wait { bench.stream.counts.received > 20_000 }
    bench.app.end()
    try bench.wait { bench.hasEnded }
    #expect(bench.stream.isBroken)
  }

  @Test func flush_dropsLowerFrames() throws {
    let bench = try Bench()
    bench.engine.play(bench.stream.track(id: -1))
    // No packet is on its way during the flush, so `before` has all frames that arrived before it.
    try bench.wait {
      bench.stream.counts.received > 4_800 && bench.stream.counts.received == bench.app.next
    }
    try bench.stream.flush(next: 1_000_000)
    let before = bench.stream.counts
    try bench.wait { bench.stream.counts.received > before.received + 4_800 }
    let counts = bench.stream.counts
    #expect(counts.dropped - before.dropped == counts.received - before.received)
  }

  /// While nothing reads the stream, packets wait in the socket. They are old when the stream plays again.
  @Test func start_afterAPause_dropsWhatWaits() throws {
    let bench = try Bench()
    bench.app.wanted = 9_600
    bench.app.pump()
    let input = bench.stream.start()
    try bench.wait { bench.stream.counts.received >= 9_600 + 4_800 }
    #expect(bench.stream.counts.dropped >= 9_600)
    #expect(
      Int64(input.counts.pushed) <= bench.stream.counts.received - bench.stream.counts.dropped)
    bench.stream.stop()
    let received = bench.stream.counts.received
    bench.app.wanted += 4_800
    bench.app.pump()
    #expect(bench.stream.counts.received == received)
  }
}
