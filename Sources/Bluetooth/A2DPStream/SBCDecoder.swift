internal import CSBC

/// Decodes the SBC frames of a stream with libsbc.
///
/// Used on one thread at a time. Blocks for some microseconds per frame, and allocates nothing after its creation.
final class SBCDecoder {
  /// Size of the longest SBC frame, in bytes: 16 blocks of 2 channels with bitpool 53, and 8 subbands.
  private static let longestFrame = 4 + 8 + (16 * 2 * 53 + 7) / 8
  /// libsbc can read up to this number of bytes after the end of a damaged SBC frame.
  private static let padding = 16

  private let configuration: SBCConfiguration
  private var state = sbc_t()
  private let input: UnsafeMutableRawBufferPointer
  private let output: UnsafeMutableBufferPointer<Int16>
  /// The samples of the last SBC frame, with interleaved channels, from -1 to 1. The caller may change these samples.
  let samples: UnsafeMutableBufferPointer<Float>

  init(_ configuration: SBCConfiguration) throws(StreamReceiver.Failure) {
    self.configuration = configuration
    let count = configuration.framesPerSBCFrame * configuration.channels
    let result = sbc_init(&state, 0)
    guard result == 0 else { throw StreamReceiver.Failure(code: -result) }
    state.endian = UInt8(1.littleEndian == 1 ? SBC_LE : SBC_BE)
    input = .allocate(byteCount: Self.longestFrame + Self.padding, alignment: 16)
    input.initializeMemory(as: UInt8.self, repeating: 0)
    output = .allocate(capacity: count)
    output.initialize(repeating: 0)
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0)
  }

  deinit {
    sbc_finish(&state)
    input.deallocate()
    output.deallocate()
    samples.deallocate()
  }

  /// Decodes an SBC frame into ``samples``. Returns the size of the SBC frame in bytes. Returns nil if the bytes are
  /// not an SBC frame of the stream, or if the SBC frame is damaged.
  func decode(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let header = SBCFrameHeader(bytes, configuration) else { return nil }
    let length = header.length(configuration)
    guard length <= bytes.count, length <= Self.longestFrame else { return nil }
    input.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
    input[length..<length + Self.padding].initializeMemory(as: UInt8.self, repeating: 0)
    var written = 0
    let consumed = sbc_decode(
      &state, input.baseAddress, length, output.baseAddress,
      output.count * MemoryLayout<Int16>.stride, &written)
    guard consumed == length, written == output.count * MemoryLayout<Int16>.stride else {
      return nil
    }
    convert(output, to: samples)
    return length
  }

  /// Converts samples without loss: a Float represents each 16-bit value exactly. The buffers are parameters, not
  /// properties, so that the compiler can vectorise the loop.
  private func convert(
    _ output: UnsafeMutableBufferPointer<Int16>, to samples: UnsafeMutableBufferPointer<Float>
  ) {
    for index in 0..<output.count { samples[index] = Float(output[index]) / 32_768 }
  }
}
