import AudioCodecs
import AudioEngine
import EventLoop
import TestKit
import Testing
import Threads

@testable import AppStream

/// Tests streams that the engine plays, with its threads.
@Suite struct TrackStreamEngineTests {
  /// An engine that plays the stream of an app.
  private final class Bench: EngineUser {
    let app: AppSocket
    let stream: TrackStream
    let sink = SteppedSink()
    let engine: PlaybackEngine
    private(set) var hasEnded = false
    private(set) var losses = 0
    static let id = -1
    static let rate: Int64 = 48_000
    /// The engine fades in and out over 5 ms.
    static let fade: Int64 = 240

    init(_ samples: String = "s16") throws {
      let format = try AppStreamFormat(rate: Int(Self.rate), channels: 2, samples: samples)
      app = try AppSocket(format)
      stream = TrackStream(format, app.unit)
      engine = PlaybackEngine(sink: sink)
      engine.acquire(for: self)
    }

    deinit { engine.shutDown() }

    func engineWillBeTaken() { losses += 1 }

    func play(at frame: Int64 = 0) {
      engine.play(
        stream.track(id: Self.id), at: app.format.seconds(atFrame: frame))
    }

    /// The frame of the stream that is heard.
    var heard: Int64? {
      guard let position = engine.heardPosition(), position.trackID == Self.id else { return nil }
      return app.format.frame(atSeconds: position.seconds)
    }

    /// Sends what the app wants to send, until the condition holds.
    func wait(_ condition: () -> Bool, line: Int = #line) throws {
      let limit = ContinuousClock.now + Hang.limit
      while !condition() {
        try #require(ContinuousClock.now < limit, "line \(line)")
        app.pump()
        for event in engine.takeEvents() {
          if case .ended = event { hasEnded = true }
          if case .needsUpcoming = event { engine.setUpcoming(nil) }
        }
        engine.wakeUp.wait(milliseconds: 2)
      }
    }

    /// Lets the device take further frames, and waits until it has them.
    func take(_ frames: Int) throws {
      let count = sink.samples.count + frames * 2
      sink.permit(frames)
      try wait { sink.samples.count >= count }
    }

    /// The frames that the device got from the sample `from` on. Nil for a frame that a fade has changed, or that comes
    /// from another track.
    func frames(from: Int = 0) -> [Int64?] {
      let samples = sink.samples
      return stride(from: from, to: samples.count, by: 2).map { index in
        let number = AppSocket.frame(samples[index], samples[index + 1], app.format.samples)
        let isExact = (0..<2).allSatisfy {
          AppSocket.decoded(number, $0, app.format.samples) == samples[index + $0]
        }
        return isExact ? number : nil
      }
    }

    /// Checks that the frames from the sample `from` on end with consecutive unchanged frames, the first of which is
    /// `first` or at most `fade` frames later. Before them there are only frames of fades.
    func expectContinuous(from: Int, first: Int64, fade: Int64 = 0, line: Int = #line) {
      let frames = frames(from: from)
      guard let index = frames.firstIndex(where: { $0 ?? -1 >= first }), let begin = frames[index]
      else {
        Issue.record("line \(line): no frame")
        return
      }
      #expect(begin - first <= fade, "line \(line)")
      let isContinuous = frames[index...].enumerated().allSatisfy { $1 == begin + Int64($0) }
      #expect(isContinuous, "line \(line)")
      #expect(Int64(index) <= begin - first + 2 * fade, "line \(line)")
    }
  }

  @Test(arguments: ["s16", "s32", "f32"]) func sound_isBitExact(samples: String) throws {
    let bench = try Bench(samples)
    bench.app.wanted = 300_000
    bench.stream.finish(at: 300_000)
    bench.play()
    bench.sink.permit(1_000_000)
    try bench.wait { bench.hasEnded }
    bench.expectContinuous(from: 0, first: 0)
    #expect(bench.sink.samples.count == 300_000 * 2)
    #expect(bench.stream.counts == StreamCounts(received: 300_000))
    #expect(bench.stream.keptBytes <= 9 << 17 && !bench.stream.isBroken)
  }

  /// The app sends nothing for a while. The decode thread must notice the next packet.
  @Test func stall_continuesWithTheNextFrame() throws {
    let bench = try Bench()
    bench.play()
    bench.app.wanted = 20_000
    try bench.take(20_000)
    #expect(bench.heard == 20_000)
    bench.sink.permit(30_000)
    bench.app.wanted = 50_000
    try bench.wait { bench.sink.samples.count == 100_000 }
    bench.expectContinuous(from: 0, first: 0)
  }

  @Test func stall_inRealTime_isReported() throws {
    let format = try AppStreamFormat(rate: 48_000, channels: 2, samples: "s16")
    let app = try AppSocket(format)
    let stream = TrackStream(format, app.unit)
    let engine = PlaybackEngine(sink: NullSink())
    defer { engine.shutDown() }
    var reports: [String] = []
    func wait(_ condition: () -> Bool) throws {
      let limit = ContinuousClock.now + Hang.limit
      while !condition() {
        try #require(ContinuousClock.now < limit)
        app.pump()
        for event in engine.takeEvents() {
          switch event {
          case .starved: reports.append("starved")
          case .starvationEnded: reports.append("fed")
          case .ended: reports.append("ended")
          case .needsUpcoming: engine.setUpcoming(nil)
          default: break
          }
        }
        engine.wakeUp.wait(milliseconds: 2)
      }
    }
    app.wanted = 9_600
    engine.play(stream.track(id: 1))
    try wait { reports.last == "starved" }
    app.wanted = 200_000
    try wait { reports.last == "fed" }
    stream.finish(at: 200_000)
    try wait { reports.last == "ended" }
    #expect(stream.counts == StreamCounts(received: 200_000))
  }

  @Test func flush_inTheMiddle_nothingBelowItFollows() throws {
    let bench = try Bench()
    bench.play()
    bench.app.wanted = 150_000
    try bench.take(20_000)
    // Frames are in the engine's buffer, in the history and in the socket.
    let count = bench.sink.samples.count
    try bench.stream.flush(next: 200_000)
    bench.play(at: 200_000)
    #expect(bench.heard == 200_000)
    bench.app.next = 200_000
    bench.app.wanted = 260_000
    try bench.take(20_000)
    bench.expectContinuous(from: count, first: 200_000, fade: Bench.fade)
    let afterTheFade = bench.frames(from: count).dropFirst(Int(Bench.fade))
    #expect(afterTheFade.allSatisfy { $0 ?? 200_000 >= 200_000 })
  }

  /// Another source takes the engine and plays; then the stream continues with the frame that was not heard.
  @Test func otherSource_returnsTheEngine_continuesToTheFrame() throws {
    final class Other: EngineUser { func engineWillBeTaken() {} }
    let bench = try Bench("f32")
    let other = Other()
    let format = bench.app.format.decoded
    bench.play()
    bench.app.wanted = 400_000
    var begin = 0
    var expected: Int64 = 0
    for round in 1...3 {
      try bench.take(15_000)
      bench.expectContinuous(from: begin, first: expected, fade: round == 1 ? 0 : Bench.fade)
      expected = try #require(bench.heard)
      bench.engine.acquire(for: other)
      #expect(bench.losses == round)
      bench.engine.play(
        TrackRequest(id: 100) { () throws(DecodeError) in
          OpenedTrack(
            decoder: ScriptedDecoder(format, [.frames(5_000)]),
            description: TrackDescription(
              codec: "test", format: format, durationSeconds: nil,
              metadata: AudioMetadata()))
        })
      try bench.take(3_000)
      bench.engine.acquire(for: bench)
      begin = bench.sink.samples.count
      bench.play(at: expected)
    }
    #expect(bench.stream.counts.dropped == 0)
  }

  @Test func lostDevice_continuesToTheFrame() throws {
    let bench = try Bench("s32")
    bench.play()
    bench.app.wanted = 400_000
    try bench.take(30_000)
    bench.sink.fail()
    try bench.wait { bench.sink.openCount > 2 }
    try bench.take(200_000)
    bench.expectContinuous(from: 0, first: 0)
    #expect(bench.stream.counts.dropped == 0)
  }

  /// The engine takes no more than its buffer holds, so an app that floods uses the memory of its own socket.
  @Test func flood_isHeldBack() throws {
    let bench = try Bench("f32")
    bench.app.packetFrames = 4_096
    bench.play()
    bench.app.wanted = .max
    try bench.take(1_000)
    try bench.wait { bench.stream.counts.received >= Int64(PlaybackEngine.bufferBytes / 8) }
    for _ in 0..<200 {
      bench.app.pump()
      bench.app.send([1, 2, 3])
    }
    #expect(
      bench.stream.counts.received <= Int64(PlaybackEngine.bufferBytes / 8 + 1_000 + 3 * 4_096))
    #expect(bench.stream.keptBytes <= 9 << 17)
  }

  @Test func oddPackets_areLeftOut() throws {
    let bench = try Bench()
    bench.play()
    var random = SeededRandom(1)
    while bench.app.next < 100_000 {
      if random.chance(30) {
        bench.app.send(
          bench.app.header(bench.app.next, type: random.chance(50) ? 0 : 7)
            + (0..<1 + 4 * random.below(50)).map { _ in 255 })
      }
      if random.chance(10) { bench.app.send([UInt8](repeating: 0, count: 40_000)) }
      bench.app.wanted = min(bench.app.next + 480, 100_000)
      bench.sink.permit(480)
      let wanted = bench.app.wanted
      try bench.wait { bench.app.next == wanted }
    }
    bench.sink.permit(100_000)
    bench.stream.finish(at: 100_000)
    bench.app.end()
    try bench.wait { bench.hasEnded }
    bench.expectContinuous(from: 0, first: 0)
    #expect(bench.sink.samples.count == 100_000 * 2)
    #expect(bench.stream.counts.broken > 0 && bench.stream.counts.received == 100_000)
  }
}
