import NowPlayingClient
import Testing

@testable import autoharp_app

@Suite struct PCMFormatTests {
  @Test func pipe_holdsAtMost100Milliseconds_butAPage() throws {
    let sizes = [
      "s16:44100:2": 16_384, "s16:48000:2": 16_384, "s32:192000:2": 131_072, "s24:96000:2": 32_768,
      "s16:8000:1": 4096,
    ]
    for (text, size) in sizes {
      #expect(try PCMFormat(text).pipeBytes == size, "\(text)")
    }
  }

  @Test func frames_areAssembledFromBytesOfAnyNumber() throws {
    for samples in PCMFormat.Samples.allCases {
      let format = PCMFormat(samples: samples, rate: 44_100, channels: 2)
      let bytes = (0..<format.frameBytes * 50 + 3).map { UInt8(truncatingIfNeeded: $0 * 7) }
      var whole = FrameAssembler(format)
      let expected = whole.frames(bytes)
      #expect(expected.count == 50 * format.soundFrameBytes)
      #expect(whole.partialBytes == 3 % format.frameBytes)
      for size in [1, 5, 64] {
        var assembler = FrameAssembler(format)
        var frames: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
          frames += assembler.frames(bytes[start..<min(bytes.count, start + size)])
        }
        #expect(frames == expected, "\(samples) \(size)")
        #expect(assembler.byteCount(of: 2) == 2 * format.frameBytes - assembler.partialBytes)
      }
      if samples != .s24 { #expect(expected == Array(bytes.dropLast(3 % format.frameBytes))) }
    }
  }

  @Test func samplesOfThreeBytes_becomeLeftJustified() {
    var assembler = FrameAssembler(PCMFormat(samples: .s24, rate: 48_000, channels: 1))
    #expect(assembler.frames([1, 2, 3, 4, 5, 0xFF, 9]) == [0, 1, 2, 3, 0, 4, 5, 0xFF])
    let stream = PCMFormat(samples: .s24, rate: 48_000, channels: 1).sound(.track)
    #expect(stream == SoundFormat(.track, rate: 48_000, channels: 1, samples: .s32))
  }
}
