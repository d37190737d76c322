import TestKit
import Testing

@testable import AppStream

@Suite struct PacketSequenceTests {
  private static let stereo16 = try! AppStreamFormat(rate: 48_000, channels: 2, samples: "s16")
  private static let mono32 = try! AppStreamFormat(rate: 48_000, channels: 1, samples: "f32")

  @Test func format_outsideTheLimits_isRefused() throws {
    typealias Refusal = AppStreamFormat.Refusal
    for rate in [Int.min, 0, 7999, 192_001, .max] {
      #expect(throws: Refusal.rate(rate)) {
        try AppStreamFormat(rate: rate, channels: 2, samples: "s16")
      }
    }
    for channels in [-1, 0, 3] {
      #expect(throws: Refusal.channels(channels)) {
        try AppStreamFormat(rate: 8000, channels: channels, samples: "s16")
      }
    }
    for samples in ["", "S16", "u8", "s24"] {
      #expect(throws: Refusal.samples(samples)) {
        try AppStreamFormat(rate: 192_000, channels: 1, samples: samples)
      }
    }
    #expect(try AppStreamFormat(rate: 8000, channels: 1, samples: "s16").frameBytes == 2)
    #expect(try AppStreamFormat(rate: 192_000, channels: 2, samples: "s32").frameBytes == 8)
  }

  @Test func frame_ofASecond_isExact() throws {
    var random = SeededRandom(4)
    for rate in [8000, 11_025, 44_100, 48_000, 96_000, 192_000] {
      let format = try AppStreamFormat(rate: rate, channels: 2, samples: "s16")
      for bits in 1...50 {
        let frame = Int64(random.next() >> UInt64(64 - bits))
        #expect(format.frame(atSeconds: format.seconds(atFrame: frame)) == frame)
      }
      for seconds in [-1.0, .nan, -.infinity] { #expect(format.frame(atSeconds: seconds) == 0) }
      #expect(format.frame(atSeconds: .infinity) == FrameNumber.limit)
    }
  }

  /// Gives a packet to a sequence. Returns the numbers of the frames that count.
  private func take(
    _ sequence: inout PacketSequence, _ first: UInt64, bytes: Int, type: UInt64 = 0
  ) -> Range<Int64>? {
    var packet = [UInt8](repeating: 0, count: 16 + bytes)
    return packet.withUnsafeMutableBytes { packet in
      packet.storeBytes(of: type, as: UInt64.self)
      packet.storeBytes(of: first, toByteOffset: 8, as: UInt64.self)
      return sequence.take(packet).map {
        $0.first..<$0.first + Int64($0.bytes.count / sequence.format.frameBytes)
      }
    }
  }

  @Test func take_framesInOrder_count() {
    var sequence = PacketSequence(Self.stereo16)
    #expect(take(&sequence, 0, bytes: 400) == 0..<100)
    #expect(take(&sequence, 100, bytes: 4) == 100..<101)
    #expect(sequence.counts == StreamCounts(received: 101))
    #expect(sequence.next == 101)
  }

  @Test func take_higherNumber_isAJump() {
    var sequence = PacketSequence(Self.stereo16)
    #expect(take(&sequence, 5000, bytes: 400) == 5000..<5100)
    #expect(sequence.counts == StreamCounts(received: 100))
  }

  @Test func take_overlap_isCut_andLowerFramesAreDropped() {
    var sequence = PacketSequence(Self.stereo16)
    _ = take(&sequence, 0, bytes: 400)
    #expect(take(&sequence, 90, bytes: 80) == 100..<110)
    #expect(take(&sequence, 0, bytes: 440) == nil)
    #expect(sequence.counts == StreamCounts(received: 230, dropped: 120))
  }

  @Test func take_brokenPacket_isCounted_andChangesNothingElse() {
    var sequence = PacketSequence(Self.stereo16)
    #expect(take(&sequence, 0, bytes: 0) == nil)
    #expect(take(&sequence, 0, bytes: 402) == nil)
    #expect(take(&sequence, 0, bytes: 400, type: 1) == nil)
    #expect(take(&sequence, 0, bytes: 400, type: 1 << 32) == nil)
    #expect(take(&sequence, 0, bytes: 32_772) == nil)
    #expect(take(&sequence, 1 << 52, bytes: 4) == nil)
    #expect(take(&sequence, (1 << 52) - 1, bytes: 8) == nil)
    #expect(take(&sequence, .max, bytes: 4) == nil)
    for count in 0..<16 {
      var short = [UInt8](repeating: 0, count: count)
      short.withUnsafeMutableBytes { #expect(sequence.take($0) == nil) }
    }
    #expect(sequence.counts == StreamCounts(broken: 24) && sequence.next == 0)
    #expect(take(&sequence, 0, bytes: 32_768) == 0..<8192)
    let last = FrameNumber.limit - 1
    #expect(take(&sequence, UInt64(last), bytes: 4) == last..<last + 1)
  }

  @Test func take_samplesThatAreNoNumbers_becomeZero() {
    var sequence = PacketSequence(Self.mono32)
    let samples: [Float] = [
      0.5, .nan, -.infinity, .infinity, -2, .signalingNaN, .leastNonzeroMagnitude,
    ]
    var packet = [UInt8](repeating: 0, count: 16)
    for sample in samples { withUnsafeBytes(of: sample) { packet += $0 } }
    let taken = packet.withUnsafeMutableBytes { packet in
      sequence.take(packet).map { Array($0.bytes.bindMemory(to: Float.self)) }
    }
    #expect(taken == [0.5, 0, 0, 0, -2, 0, .leastNonzeroMagnitude])
    #expect(sequence.counts == StreamCounts(received: 7, notFinite: 4))
  }

  @Test func flush_numbersOnlyGrow_andFramesMayArriveBeforeIt() throws {
    var sequence = PacketSequence(Self.stereo16)
    _ = take(&sequence, 0, bytes: 400)
    #expect(throws: FlushRefusal.tooLarge) { try sequence.flush(next: 1 << 52) }
    #expect(throws: FlushRefusal.tooLarge) { try sequence.flush(next: .max) }
    #expect(sequence.next == 100)
    try sequence.flush(next: 100)
    try sequence.flush(next: 150)
    #expect(take(&sequence, 140, bytes: 80) == 150..<160)
    #expect(sequence.counts == StreamCounts(received: 120, dropped: 10))
    #expect(throws: FlushRefusal.isPast(next: 150)) { try sequence.flush(next: 149) }
    try sequence.flush(next: 155)
    #expect(sequence.next == 160)
  }

  @Test func finish_framesAfterIt_areDropped_untilAFlush() throws {
    var sequence = PacketSequence(Self.stereo16)
    sequence.finish(at: 50)
    #expect(!sequence.isComplete)
    #expect(take(&sequence, 0, bytes: 400) == 0..<50)
    #expect(take(&sequence, 100, bytes: 400) == nil)
    #expect(sequence.isComplete && sequence.counts.dropped == 150)
    try sequence.flush(next: 200)
    #expect(!sequence.isComplete)
    #expect(take(&sequence, 200, bytes: 4) == 200..<201)
    sequence.finish(at: .max)
    #expect(!sequence.isComplete)
  }

  /// Any packets: nothing traps, the frames that count have growing numbers, and every frame is counted once.
  @Test func take_randomPackets_numbersGrow() {
    var random = SeededRandom(7)
    for _ in 0..<200 {
      var sequence = PacketSequence(Bool.random(using: &random) ? Self.stereo16 : Self.mono32)
      var (given, last): (Int64, Int64) = (0, -1)
      for _ in 0..<100 {
        let near = UInt64(clamping: sequence.next + Int64(random.below(200)) - 100)
        switch random.below(10) {
        case 0: sequence.finish(at: random.chance(50) ? near : random.next())
        case 1: try? sequence.flush(next: random.chance(50) ? near : random.next())
        default:
          let number = random.chance(95) ? near : random.next() >> UInt64(random.below(64))
          let type: UInt64 = random.chance(95) ? 0 : random.next()
          guard
            let frames = take(
              &sequence, number, bytes: random.below(100) * 4 + random.below(20) / 19, type: type)
          else { continue }
          #expect(frames.lowerBound > last && frames.upperBound <= FrameNumber.limit)
          last = frames.upperBound - 1
          given += Int64(frames.count)
        }
      }
      #expect(sequence.counts.received == given + sequence.counts.dropped)
    }
  }
}
