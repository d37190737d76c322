import Testing
import Threads

@testable import AudioEngine

/// Tests the rings through which one thread sends data to another thread. The tests check the data that arrives. Under
/// the thread sanitizer (`make test-tsan`) they also find data races.
///
/// One run under the thread sanitizer finds a wrong memory ordering in two of three cases. With eight runs it is very
/// unlikely that the sanitizer misses a wrong ordering.
@Suite(.serialized) struct RingTests {
  /// The number of frames in each write. These numbers differ much, so that writes and reads cross the end of the
  /// ring's memory at many different positions.
  private static let sizes = [1, 7, 64, 3, 129, 1000, 2, 511]

  @Test(arguments: 1...8)
  func frames_fromOneThreadToAnother_arriveInOrder(turn: Int) {
    let ring = FrameRing(bytes: 4096)
    defer { ring.deallocate() }
    let total = 50_000 + turn
    let writer = NamedThread("writer") {
      var sent = 0
      var turn = 0
      while sent < total {
        let count = min(Self.sizes[turn % Self.sizes.count], total - sent)
        let block = (0..<2 * count).map { Int32(truncatingIfNeeded: 2 * sent + $0) }
        var done = 0
        while done < count {
          done += block.withUnsafeBytes {
            ring.write($0.baseAddress! + 8 * done, count: count - done)
          }
        }
        sent += count
        turn += 1
      }
    }
    var next = 0
    var wrong = 0
    while next < total {
      let (frames, count) = ring.frames(at: next, limit: 333)
      let samples = frames.assumingMemoryBound(to: Int32.self)
      for index in 0..<2 * max(0, count)
      where samples[index] != Int32(truncatingIfNeeded: 2 * next + index) {
        wrong += 1
      }
      next += count
      ring.release(before: next)
    }
    writer.join()
    #expect(wrong == 0)
    #expect(ring.readable(from: next) == 0)
    #expect(ring.heldFrames == 0)
  }

  @Test func events_fromOneThreadToAnother_arriveCompleteAndInOrder() {
    let ring = StreamEventRing()
    defer { ring.deallocate() }
    let total = 100_000
    let writer = NamedThread("writer") {
      var sent = 0
      while sent < total {
        guard ring.push(StreamEvent(kind: .segment, position: sent, token: 3 * sent)) else {
          continue
        }
        sent += 1
      }
    }
    var next = 0
    var wrong = 0
    while next < total {
      guard let event = ring.take() else { continue }
      if event.position != next || event.token != 3 * next { wrong += 1 }
      next += 1
    }
    writer.join()
    #expect(wrong == 0)
    #expect(ring.take() == nil)
  }

  @Test func clock_readWhileWritten_isConsistent() {
    let clock = PlaybackClock()
    defer { clock.deallocate() }
    clock.configure(sampleRate: 1000)
    let total = 200_000
    let writer = NamedThread("writer") {
      for value in 1...total {
        clock.publish(position: 3 * value, pending: 2 * value, now: Int64(value))
      }
    }
    var wrong = 0
    var last = 0
    while last < total {
      let reading = clock.read()
      if reading.position != 3 * Int(reading.time) || reading.pending != 2 * Int(reading.time) {
        wrong += 1
      }
      if Int(reading.time) < last { wrong += 1 }
      last = Int(reading.time)
    }
    writer.join()
    #expect(wrong == 0)
  }

  @Test func events_beyondTheCapacity_areRefused() {
    let ring = StreamEventRing()
    defer { ring.deallocate() }
    for index in 0..<StreamEventRing.capacity {
      #expect(ring.push(StreamEvent(kind: .segment, position: index)))
    }
    #expect(!ring.push(StreamEvent(kind: .segment, position: -1)))
    #expect(ring.take()?.position == 0)
  }
}
