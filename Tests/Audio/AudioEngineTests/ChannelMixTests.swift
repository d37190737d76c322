import AudioCodecs
import Testing

@testable import AudioEngine

@Suite struct ChannelMixTests {
  private let surround = ChannelLayout([
    .frontLeft, .frontRight, .rearLeft, .rearRight, .frontCenter, .lowFrequency,
  ])

  @Test func matrix_surroundToStereo_hasTheStandardCoefficients() {
    let matrix = ChannelMix(from: surround, to: .stereo).matrix
    // ITU-R BS.775: the coefficient is 1 for the front channel, and 0.7071 for the surround channel and the centre
    // channel. Each coefficient is divided by the sum of these three coefficients.
    let sum: Float = 1 + 2 * 0.707_106_77
    let expected: [[Float]] = [
      [1, 0, 0.707_106_77, 0, 0.707_106_77, 0], [0, 1, 0, 0.707_106_77, 0.707_106_77, 0],
    ]
    for (row, wanted) in zip(matrix, expected) {
      for (value, wanted) in zip(row, wanted) { #expect(abs(value - wanted / sum) < 1e-6) }
    }
  }

  @Test func matrix_stereoToMono_isTheMean() {
    let matrix = ChannelMix(from: .stereo, to: .mono).matrix
    #expect(matrix.count == 1)
    for value in matrix[0] { #expect(abs(value - 0.5) < 1e-6) }
  }

  @Test func matrix_anyPair_avoidsClippingAndDropsOnlyTheSubwoofer() {
    let layouts = [
      ChannelLayout.mono, .stereo, surround,
      ChannelLayout([.frontLeft, .frontRight, .frontCenter]),
      ChannelLayout([.frontLeft, .frontRight, .rearLeft, .rearRight]),
      ChannelLayout(surround.positions + [.sideLeft, .sideRight]),
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight, .rearCenter,
      ]),
    ]
    for source in layouts {
      for target in layouts {
        let matrix = ChannelMix(from: source, to: target).matrix
        for row in matrix { #expect(row.reduce(0, +) <= 1.000_01) }
        for (input, position) in source.positions.enumerated() where position != .lowFrequency {
          #expect(matrix.contains { $0[input] > 0 }, "\(position) of \(source.name)")
        }
      }
    }
  }

  @Test func isRouting_copiesOnly_isTrue() {
    #expect(ChannelMix(from: .mono, to: .stereo).isRouting)
    #expect(ChannelMix(from: .stereo, to: surround).isRouting)
    #expect(!ChannelMix(from: surround, to: .stereo).isRouting)
  }

  @Test func mix_integers_isTheSum() {
    let mix = ChannelMix(from: .stereo, to: .mono)
    let samples: [Int32] = [1 << 30, 1 << 29, -(1 << 30), 0]
    let out = samples.withUnsafeBytes { mix.mix($0.baseAddress!, isFloat: false, frames: 2) }
    let floats = out.assumingMemoryBound(to: Float.self)
    #expect(abs(floats[0] - 0.375) < 1e-6)
    #expect(abs(floats[1] + 0.25) < 1e-6)
  }
}
