import Testing

@testable import AudioEngine

@Suite struct SampleConversionTests {
  private func convert(
    _ samples: [Int32], to format: DeviceSamples, level: Float = 1, dithers: Bool = false
  ) -> [Int32] {
    var out = [UInt8](repeating: 0, count: samples.count * 4)
    var dither = Dither()
    samples.withUnsafeBytes { input in
      out.withUnsafeMutableBytes { out in
        convertSamples(
          input.baseAddress!, isFloat: false, out.baseAddress!, samples.count, 1, format,
          GainRamp(level: level), dithers: dithers, &dither)
      }
    }
    return read(out, format, samples.count)
  }

  private func read(_ bytes: [UInt8], _ format: DeviceSamples, _ count: Int) -> [Int32] {
    bytes.withUnsafeBytes { bytes in
      (0..<count).map { index in
        switch format {
        case .s16: Int32(bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
        case .s24, .s32: bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
        case .s24Packed:
          Int32(bytes[index * 3]) | Int32(bytes[index * 3 + 1]) << 8
            | Int32(Int8(bitPattern: bytes[index * 3 + 2])) << 16
        case .float:
          Int32(bytes.loadUnaligned(fromByteOffset: index * 4, as: Float.self) * 32768)
        }
      }
    }
  }

  private let extremes: [Int32] = [.min, -65536, -1, 0, 1, 65536, 0x7FFF_0000, .max]

  @Test func convert_atUnity_roundsToNearestAndClamps() {
    #expect(convert(extremes, to: .s32) == extremes)
    #expect(convert(extremes, to: .s16) == [-32768, -1, 0, 0, 0, 1, 32767, 32767])
    let half: [Int32] = [0x0000_8000, 0x0001_8000, -0x0000_8000, -0x0001_8000]
    #expect(convert(half, to: .s16) == [0, 2, 0, -2])
    #expect(convert([0x0000_0180, -0x180], to: .s24) == [2, -2])
    #expect(convert([.min, .max, 0x100], to: .s24Packed) == [-8_388_608, 8_388_607, 1])
  }

  @Test func convert_aboveFullScale_clamps() {
    #expect(convert([.max, .min], to: .s16, level: 4) == [32767, -32768])
    #expect(convert([.max, .min], to: .s32, level: 4) == [.max, .min])
  }

  @Test func copy_sourceThatFits_isExact() {
    let samples: [Int32] = [.min, -0x1234_5600, 0, 0x1234_5600, 0x7FFF_FF00]
    for format in [DeviceSamples.s24, .s24Packed] {
      var out = [UInt8](repeating: 0, count: 20)
      samples.withUnsafeBufferPointer { input in
        out.withUnsafeMutableBytes { out in
          copyIntegers(input.baseAddress!, out.baseAddress!, 5, format)
        }
      }
      #expect(read(out, format, 5) == samples.map { $0 >> 8 })
    }
  }

  @Test func roundFloats_anyValue_equalsRint() {
    // Values half-way between two steps, the nearest floats above and below these values, whole steps, and values at
    // full scale and near it.
    var floats: [Float] = [1, -1, 2, -2, 0.999_99, -0.999_99, 32767.5 / 32768]
    for step in -40...40 {
      let tie = (Float(step) + 0.5) / 32768
      floats += [tie, tie.nextUp, tie.nextDown, Float(step) / 32768]
    }
    var out = [Int16](repeating: 0, count: floats.count)
    roundFloats16(floats, &out, floats.count)
    let expected = floats.map { value in
      Int16(min(max((value * 32768).rounded(.toNearestOrEven), -32768), 32767))
    }
    #expect(out == expected)
  }

  @Test func dither_manyValues_isTriangularWithoutOffset() {
    var dither = Dither()
    let values = (0..<200_000).map { _ in dither.next() }
    #expect(values.allSatisfy { abs($0) < 1 })
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
    #expect(abs(mean) < 0.01)
    // The sum of two random values that are uniform over a range of width 1 has the variance 2/12.
    #expect(abs(variance - 1.0 / 6) < 0.01)
  }

  @Test func convert_dithered_preservesSignalsSmallerThanOneStep() {
    // With dither, the mean of the result is a quarter of a step. Without dither, all results are 0.
    let quarter = [Int32](repeating: 0x4000, count: 100_000)
    let mean = convert(quarter, to: .s16, dithers: true).reduce(0.0) { $0 + Double($1) } / 100_000
    #expect(abs(mean - 0.25) < 0.02)
    #expect(convert(quarter, to: .s16).allSatisfy { $0 == 0 })
  }
}
