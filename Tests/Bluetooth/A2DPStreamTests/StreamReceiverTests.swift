import Foundation
import TestKit
import Testing

@testable import A2DPStream

@Suite struct StreamReceiverTests {
  private static let usual: [UInt8] = [0x21, 0x15, 2, 53]

  /// A receiver, the sound that it has decoded, and the sound that is expected.
  private final class Bench {
    let encoder: SBCEncoder
    private var receiver: StreamReceiver?
    private(set) var sound: [Float] = []
    private(set) var expected: [Float] = []
    private var time = 0

    init(_ bytes: [UInt8] = usual, bitpool: Int = 53) throws {
      encoder = try SBCEncoder(bytes, bitpool: bitpool)
      receiver = try StreamReceiver(encoder.configuration) { [unowned self] samples, frames in
        sound += UnsafeBufferPointer(start: samples, count: frames * encoder.configuration.channels)
      }
    }

    var counts: StreamReceiver.Counts { receiver?.counts ?? .init() }
    var framesPerSBCFrame: Int { encoder.configuration.framesPerSBCFrame }

    /// Encodes SBC frames of a tone, and adds the tone to `expected`.
    func frames(_ count: Int) -> [[UInt8]] {
      (0..<count).map { _ in
        let (bytes, sound) = encoder.frame { frame, channel in
          let phase = Double(time + frame) * 2 * .pi * (channel == 0 ? 440 : 660)
          return Int16(20_000 * sin(phase / Double(encoder.configuration.rate)))
        }
        time += framesPerSBCFrame
        expected += sound.map { Float($0) / 32_768 }
        return bytes
      }
    }

    func receive(_ packet: [UInt8]) {
      packet.withUnsafeBytes { receiver?.receive($0) }
    }
  }

  /// Tests all configurations that a phone can choose, each with three bitpools.
  @Test(arguments: [UInt8(0x20), 0x10], [UInt8(1), 2, 4, 8])
  func sound_isThatOfTheDecoder_sampleForSample(_ rate: UInt8, _ mode: UInt8) throws {
    for blocks: UInt8 in [0x80, 0x40, 0x20, 0x10] {
      for subbands: UInt8 in [8, 4] {
        for allocation: UInt8 in [1, 2] {
          for bitpool in [2, 19, 53] {
            let bench = try Bench(
              [rate | mode, blocks | subbands | allocation, 2, 53], bitpool: bitpool)
            for sequence in 65_530..<65_542 {
              bench.receive(mediaPacket(sequence, bench.frames(1 + sequence % 15)))
            }
            #expect(bench.sound == bench.expected)
            #expect(bench.counts.packets == 12 && bench.counts.damaged == 0)
            #expect(
              bench.counts.decoded * bench.framesPerSBCFrame * bench.encoder.configuration.channels
                == bench.sound.count)
          }
        }
      }
    }
  }

  /// The largest step between two samples of the left channel.
  private func largestStep(_ sound: [Float]) -> Float {
    let left = stride(from: 0, to: sound.count, by: 2).map { sound[$0] }
    return zip(left, left.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }

  @Test(arguments: [1, 3, 16])
  func missingPackets_areFilled_withoutAClick(_ missing: Int) throws {
    let bench = try Bench()
    for sequence in 0..<10 { bench.receive(mediaPacket(sequence, bench.frames(7))) }
    for _ in 0..<missing { _ = bench.frames(7) }
    for sequence in 10 + missing..<20 + missing {
      bench.receive(mediaPacket(sequence, bench.frames(7)))
    }
    #expect(bench.sound.count == bench.expected.count)
    #expect(bench.counts.lost == missing && bench.counts.jumps == 0)
    let (begin, end) = (10 * 7 * 128 * 2, (10 + missing) * 7 * 128 * 2)
    #expect(bench.sound[..<begin] == bench.expected[..<begin])
    // The fade-out has 220 frames, which are 440 samples. The rest of the hole is silent.
    #expect(bench.sound[(begin + 440)..<end].allSatisfy { $0 == 0 })
    // The fade-in has 440 samples too. During the fade-in, the decoder recovers, which takes 72 frames.
    #expect(bench.sound[(end + 440)...] == bench.expected[(end + 440)...])
    #expect(largestStep(bench.sound) <= 1.1 * largestStep(bench.expected))
  }

  @Test func damagedFrame_isFilled_andTheFramesBeforeItAreHeard() throws {
    let bench = try Bench()
    bench.receive(mediaPacket(0, bench.frames(7)))
    var frames = bench.frames(7)
    frames[3][5] ^= 0x10
    bench.receive(mediaPacket(1, frames))
    for sequence in 2..<5 { bench.receive(mediaPacket(sequence, bench.frames(7))) }
    #expect(bench.counts.decoded == 31 && bench.counts.damaged == 4 && bench.counts.lost == 0)
    #expect(bench.sound.count == bench.expected.count)
    let begin = 10 * 128 * 2
    #expect(bench.sound[..<begin] == bench.expected[..<begin])
    let after = 14 * 128 * 2 + 440
    #expect(bench.sound[after...] == bench.expected[after...])
    #expect(largestStep(bench.sound) <= 1.1 * largestStep(bench.expected))
  }

  /// Only the last SBC frame of a packet is damaged, so the hole has 128 frames and is shorter than a fade.
  @Test func holeThatIsShorterThanAFade_hasNoClick() throws {
    let bench = try Bench()
    for sequence in 0..<8 {
      var frames = bench.frames(7)
      if sequence % 2 == 1 { frames[6][0] = 0 }
      bench.receive(mediaPacket(sequence, frames))
    }
    #expect(bench.counts.damaged == 4)
    #expect(bench.sound.count == bench.expected.count)
    #expect(largestStep(bench.sound) <= 1.1 * largestStep(bench.expected))
  }

  @Test func latePackets_andPacketsThatComeTwice_areDropped() throws {
    let bench = try Bench()
    let packets = (0..<6).map { mediaPacket(100 + $0, bench.frames(2)) }
    for index in [0, 1, 1, 3, 2, 4, 5, 5] { bench.receive(packets[index]) }
    #expect(bench.counts.late == 3 && bench.counts.lost == 1 && bench.counts.packets == 5)
    #expect(bench.sound.count == bench.expected.count)
  }

  @Test func longJump_goesOnAtOnce() throws {
    let bench = try Bench()
    for sequence in [0, 1, 18, 19, 40_000, 40_001, 10_000] {
      bench.receive(mediaPacket(sequence, bench.frames(2)))
    }
    // Before packet 18, 16 packets are missing, and the receiver fills this hole. The jumps to packets 40000 and 10000
    // are too long to fill: for each of them, the receiver adds only one SBC frame of silence.
    #expect(bench.counts.lost == 16 && bench.counts.jumps == 2)
    #expect(bench.sound.count == (14 + 32 + 2) * 128 * 2)
  }

  @Test func frameWithAnotherHeader_isNotDecoded() throws {
    let bench = try Bench()
    let mono = try SBCEncoder([0x28, 0x15, 2, 53], bitpool: 30).frame { _, _ in 1000 }
    let other = try SBCEncoder([0x11, 0x15, 2, 53]).frame { _, _ in 1000 }
    bench.receive(mediaPacket(0, bench.frames(1) + [mono.bytes]))
    bench.receive(mediaPacket(1, [other.bytes]))
    bench.receive(mediaPacket(2, bench.frames(1)))
    #expect(bench.counts.decoded == 2 && bench.counts.damaged == 2)
    #expect(bench.sound.count == 4 * 128 * 2)
    let limited = try Bench([0x21, 0x15, 2, 30], bitpool: 30)
    limited.receive(mediaPacket(0, bench.frames(1)))
    #expect(limited.counts.damaged == 1)
  }

  /// Random bytes do not crash the receiver. A packet gives at most 15 SBC frames and fills at most 16 missing packets.
  @Test func randomPackets_giveABoundedNumberOfFrames() throws {
    var random = SystemRandomNumberGenerator()
    let bench = try Bench()
    var before = 0
    for round in 0..<3000 {
      var bytes = mediaPacket(
        round, bench.frames(round % 3 == 0 ? 2 : 0), count: Int.random(in: 0...255))
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if round % 5 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
      bench.receive(bytes)
      #expect(bench.sound.count - before <= (15 + 16 * 15) * 128 * 2)
      before = bench.sound.count
    }
    #expect(bench.sound.allSatisfy { $0.isFinite && abs($0) <= 2 })
  }
}
