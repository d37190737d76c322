import AudioCodecs
import AudioEngine
import EventLoop
import Glibc
import Testing

@testable import AppStream

/// Tests the decoder of a stream without an engine: the test takes the steps of the decode thread.
@Suite struct TrackStreamTests {
  private struct Bench {
    let app: AppSocket
    let stream: TrackStream
    let decoder: any AudioDecoder

    init(_ samples: String = "s16", rate: Int = 48_000) throws {
      let format = try AppStreamFormat(rate: rate, channels: 2, samples: samples)
      app = try AppSocket(format)
      stream = TrackStream(format, app.unit)
      decoder = try stream.track(id: 1).open().decoder
    }

    enum Stop: Equatable { case waiting, end, limit }

    /// Takes frames until the decoder has none, at most `limit` blocks. Checks their samples. Returns the numbers of
    /// the frames, with one range for all consecutive frames.
    func take(limit: Int = .max) throws -> ([Range<Int64>], Stop) {
      var ranges: [Range<Int64>] = []
      for _ in 0..<limit {
        app.pump()
        switch try decoder.next() {
        case .frames(let block):
          let frames = block.position..<block.position + Int64(block.frameCount)
          check(block)
          if let last = ranges.last, last.upperBound == frames.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<frames.upperBound
          } else {
            ranges.append(frames)
          }
        case .waiting(let descriptors):
          #expect(descriptors.count == 2)
          return (ranges, .waiting)
        case .end: return (ranges, .end)
        default: break
        }
      }
      return (ranges, .limit)
    }

    private func check(_ block: FrameBlock) {
      let samples = UnsafeBufferPointer(
        start: block.samples?.assumingMemoryBound(to: UInt32.self), count: block.frameCount * 2)
      let expected = (0..<block.frameCount * 2).map {
        AppSocket.decoded(block.position + Int64($0 / 2), $0 % 2, app.format.samples)
      }
      #expect(samples.elementsEqual(expected))
    }
  }

  @Test(arguments: ["s16", "s32", "f32"]) func next_givesTheSamples(samples: String) throws {
    let bench = try Bench(samples)
    bench.app.wanted = 300_000
    #expect(try bench.take() == ([0..<300_000], .waiting))
    #expect(bench.stream.counts == StreamCounts(received: 300_000))
    #expect(bench.stream.keptBytes <= 9 << 17)
  }

  @Test func next_beginsWith100Milliseconds() throws {
    let bench = try Bench()
    bench.app.wanted = 4799
    #expect(try bench.take() == ([], .waiting))
    bench.app.wanted = 4800
    #expect(try bench.take() == ([0..<4800], .waiting))
    bench.app.wanted = 4801
    #expect(try bench.take() == ([4800..<4801], .waiting))
  }

  @Test func next_shortContent_beginsWhenItIsFinished() throws {
    let bench = try Bench()
    bench.app.wanted = 100
    #expect(try bench.take() == ([], .waiting))
    bench.stream.finish(at: 100)
    #expect(try bench.take() == ([0..<100], .end))
    #expect(!bench.stream.isBroken)
  }

  @Test func finish_beforeItsFrames_endsThere() throws {
    let bench = try Bench()
    bench.stream.finish(at: 10_000)
    bench.app.wanted = 9_999
    #expect(try bench.take() == ([0..<9_999], .waiting))
    bench.app.wanted = 12_000
    #expect(try bench.take() == ([9_999..<10_000], .end))
    #expect(bench.stream.counts.dropped > 0)
  }

  @Test func finish_signalsTheDecoder() throws {
    let bench = try Bench()
    guard case .waiting(let descriptors) = try bench.decoder.next() else {
      return #expect(Bool(false))
    }
    #expect(!descriptors.contains(where: canRead))
    bench.stream.finish(at: 0)
    #expect(descriptors.contains(where: canRead))
    #expect(try bench.take() == ([], .end))
  }

  @Test func packet_signalsTheDecoder() throws {
    let bench = try Bench()
    guard case .waiting(let descriptors) = try bench.decoder.next() else {
      return #expect(Bool(false))
    }
    bench.app.send(0..<1)
    #expect(descriptors.contains(where: canRead))
  }

  private func canRead(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test func end_ofTheApp_playsWhatItSent_andIsBroken() throws {
    let bench = try Bench()
    bench.app.send(0..<100)
    bench.app.send(bench.app.header(100) + [1, 2, 3])
    bench.app.end()
    #expect(try bench.take() == ([0..<100], .end))
    #expect(bench.stream.isBroken)
    #expect(bench.stream.counts == StreamCounts(received: 100, broken: 1))
    // The other connection can be faster than this one, so the end of the content can arrive later.
    bench.stream.finish(at: 100)
    #expect(!bench.stream.isBroken)
    bench.stream.finish(at: 101)
    #expect(bench.stream.isBroken)
  }

  @Test func emptyPacket_beforeTheEnd_hidesNothing() throws {
    let bench = try Bench()
    bench.app.send([])
    bench.app.send(0..<100)
    bench.app.send([])
    bench.app.end()
    #expect(try bench.take() == ([0..<100], .end))
    #expect(bench.stream.counts.received == 100)
  }

  @Test func jump_isSeenInThePositions() throws {
    let bench = try Bench()
    bench.app.send(0..<4800)
    bench.app.send(9000..<9100)
    bench.app.send(8000..<8100)
    #expect(try bench.take() == ([0..<4800, 9000..<9100], .waiting))
    #expect(bench.stream.counts == StreamCounts(received: 5000, dropped: 100))
  }

  @Test func seek_backToFramesThatWereNotHeard_givesThemAgain() throws {
    let bench = try Bench()
    bench.app.wanted = 100_000
    _ = try bench.take()
    for frame: Int64 in [99_999, 100_000, 3, 50_001, 0] {
      try bench.decoder.seek(to: frame)
      let isLong = frame <= 95_200
      #expect(try bench.take() == (isLong ? [frame..<100_000] : [], .waiting))
    }
    // A new decoder of the same stream continues in the same way.
    let other = try bench.stream.track(id: 1).open().decoder
    try other.seek(to: 777)
    guard case .frames(let block) = try other.next() else { return #expect(Bool(false)) }
    #expect(block.position == 777)
    #expect(bench.stream.counts == StreamCounts(received: 100_000))
  }

  /// The engine can have as many frames as its buffer holds. The decoder can give all of them again.
  @Test(arguments: ["s16", "s32", "f32"]) func seek_overTheEnginesBuffer(samples: String) throws {
    let bench = try Bench(samples)
    let buffered = Int64(PlaybackEngine.bufferBytes / 8)
    bench.app.wanted = 300_000
    _ = try bench.take()
    try bench.decoder.seek(to: 300_000 - buffered)
    #expect(try bench.take() == ([300_000 - buffered..<300_000], .waiting))
    #expect(bench.stream.counts.dropped == 0 && bench.stream.keptBytes <= 9 << 17)
  }

  @Test func seek_toForgottenFrames_beginsAtTheOldest_andCountsTheRest() throws {
    let bench = try Bench()
    bench.app.wanted = 300_000
    _ = try bench.take()
    try bench.decoder.seek(to: 0)
    let (ranges, _) = try bench.take()
    let first = try #require(ranges.first?.lowerBound)
    #expect(ranges == [first..<300_000] && first > 0)
    #expect(bench.stream.counts.dropped == first)
  }

  @Test func forget_freesTheMemory_andContinuesWithTheNextFrames() throws {
    let bench = try Bench()
    #expect(bench.stream.keptBytes == 0)
    bench.app.wanted = 10_000
    _ = try bench.take()
    #expect(bench.stream.keptBytes > 0)
    bench.stream.forget()
    #expect(bench.stream.keptBytes == 0)
    try bench.decoder.seek(to: 9_000)
    bench.app.wanted = 20_000
    #expect(try bench.take() == ([10_000..<20_000], .waiting))
    #expect(bench.stream.counts.dropped == 1_000)
  }

  @Test func flush_dropsLowerFramesEverywhere() throws {
    let bench = try Bench()
    bench.app.wanted = 20_000
    #expect(try bench.take(limit: 5).1 == .limit)
    // Frames below the new number still wait in the socket.
    bench.app.wanted = 60_000
    bench.app.pump()
    try bench.stream.flush(next: 70_000)
    #expect(try bench.take() == ([], .waiting))
    try bench.decoder.seek(to: 70_000)
    bench.app.next = 69_990
    bench.app.wanted = 80_000
    #expect(try bench.take() == ([70_000..<80_000], .waiting))
    let counts = bench.stream.counts
    #expect(counts.received == 70_010 && counts.broken == 0)
  }

  /// The frames and the flush come on two connections, so the frames can be the first.
  @Test func flush_framesThatHaveArrivedBeforeIt_areKept() throws {
    let bench = try Bench()
    bench.app.wanted = 20_000
    _ = try bench.take()
    bench.app.next = 30_000
    bench.app.wanted = 40_000
    #expect(try bench.take() == ([30_000..<40_000], .waiting))
    bench.app.wanted = 50_000
    bench.app.pump()
    try bench.stream.flush(next: 30_000)
    #expect(throws: FlushRefusal.isPast(next: 30_000)) { try bench.stream.flush(next: 29_999) }
    try bench.decoder.seek(to: 30_000)
    #expect(try bench.take() == ([30_000..<50_000], .waiting))
    #expect(bench.stream.counts.dropped == 0)
  }

  /// The decoder can take frames after the flush before the player seeks.
  @Test func flush_framesThatArriveBeforeTheSeek_areGivenAgain() throws {
    let bench = try Bench()
    bench.app.wanted = 20_000
    _ = try bench.take()
    try bench.stream.flush(next: 30_000)
    bench.app.next = 30_000
    bench.app.wanted = 50_000
    #expect(try bench.take() == ([30_000..<50_000], .waiting))
    try bench.decoder.seek(to: 30_000)
    #expect(try bench.take() == ([30_000..<50_000], .waiting))
    #expect(bench.stream.counts == StreamCounts(received: 40_000))
  }

  @Test func flush_afterTheEndOfTheContent_continues() throws {
    let bench = try Bench()
    bench.stream.finish(at: 10_000)
    bench.app.wanted = 10_000
    #expect(try bench.take() == ([0..<10_000], .end))
    try bench.stream.flush(next: 10_000)
    try bench.decoder.seek(to: 10_000)
    bench.app.wanted = 20_000
    #expect(try bench.take() == ([10_000..<20_000], .waiting))
  }

  @Test func seek_beyondTheReceivedFrames_dropsThoseBefore() throws {
    let bench = try Bench()
    try bench.decoder.seek(to: 5_000)
    bench.app.wanted = 20_000
    #expect(try bench.take() == ([5_000..<20_000], .waiting))
    #expect(bench.stream.counts.dropped == 5_000)
  }

  @Test func jumps_withoutEnd_needNoMoreMemory() throws {
    let bench = try Bench()
    for number in 0..<10_000 {
      let frame = Int64(number) << 30
      bench.app.send(frame..<frame + 1)
      _ = try bench.take()
    }
    #expect(bench.stream.counts == StreamCounts(received: 10_000))
    #expect(bench.stream.keptBytes <= 9 << 17)
  }
}
