/// Converts the samples of a file to four-byte samples in ALSA's order: left-justified `Int32`, or `Float`.
struct PCMConversion {
  private let sample: PCMStream.Sample
  /// For each channel of the result, the index of the same channel in the file.
  private let order: [Int]
  private let isInOrder: Bool

  init(_ sample: PCMStream.Sample, order: [Int]) {
    self.sample = sample
    self.order = order
    isInOrder = order == Array(order.indices)
  }

  /// Converts `frames` frames at `bytes`. `out` must have room for the result.
  func convert(_ bytes: UnsafeRawPointer, into out: UnsafeMutableRawPointer, frames: Int) {
    switch sample {
    case .unsigned8:
      integers(bytes, out, frames) {
        Int32($0.load(fromByteOffset: $1, as: UInt8.self)) << 24 ^ .min
      }
    case .integer(1, _):
      integers(bytes, out, frames) { Int32($0.load(fromByteOffset: $1, as: Int8.self)) << 24 }
    case .integer(2, false):
      integers(bytes, out, frames) {
        Int32(Int16(littleEndian: $0.loadUnaligned(fromByteOffset: $1 &* 2, as: Int16.self))) << 16
      }
    case .integer(2, true):
      integers(bytes, out, frames) {
        Int32(Int16(bigEndian: $0.loadUnaligned(fromByteOffset: $1 &* 2, as: Int16.self))) << 16
      }
    case .integer(3, let isBigEndian):
      let (low, high) = isBigEndian ? (2, 0) : (0, 2)
      integers(bytes, out, frames) { base, index in
        func byte(_ offset: Int) -> UInt32 {
          UInt32(base.load(fromByteOffset: index &* 3 &+ offset, as: UInt8.self))
        }
        return Int32(bitPattern: byte(low) << 8 | byte(1) << 16 | byte(high) << 24)
      }
    case .integer(_, false):
      integers(bytes, out, frames) {
        Int32(littleEndian: $0.loadUnaligned(fromByteOffset: $1 &* 4, as: Int32.self))
      }
    case .integer(_, true):
      integers(bytes, out, frames) {
        Int32(bigEndian: $0.loadUnaligned(fromByteOffset: $1 &* 4, as: Int32.self))
      }
    case .float(8, let isBigEndian):
      floats(bytes, out, frames) {
        let bits = $0.loadUnaligned(fromByteOffset: $1 &* 8, as: UInt64.self)
        return Float(Double(bitPattern: isBigEndian ? bits.byteSwapped : bits.littleEndian))
      }
    case .float(_, let isBigEndian):
      floats(bytes, out, frames) {
        let bits = $0.loadUnaligned(fromByteOffset: $1 &* 4, as: UInt32.self)
        return Float(bitPattern: isBigEndian ? bits.byteSwapped : bits.littleEndian)
      }
    }
  }

  @inline(__always)
  private func integers(
    _ bytes: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ frames: Int,
    _ read: (UnsafeRawPointer, Int) -> Int32
  ) {
    let out = out.assumingMemoryBound(to: Int32.self)
    reorder(frames) { out[$0] = read(bytes, $1) }
  }

  /// The largest float that is returned. Larger values are limited to this value, because a very large value would
  /// become infinite in the filters of the engine. Music has values near 1.
  private static let largestFloat: Float = 64

  /// Converts floats. Infinity and NaN become 0, because they would make the result of each filter infinite or NaN.
  @inline(__always)
  private func floats(
    _ bytes: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ frames: Int,
    _ read: (UnsafeRawPointer, Int) -> Float
  ) {
    let out = out.assumingMemoryBound(to: Float.self)
    reorder(frames) {
      let value = read(bytes, $1)
      out[$0] = value.isFinite ? min(max(value, -Self.largestFloat), Self.largestFloat) : 0
    }
  }

  /// Calls `body` with the index of each sample in the result, and its index in the file.
  @inline(__always)
  private func reorder(_ frames: Int, _ body: (Int, Int) -> Void) {
    let channels = order.count
    if isInOrder {
      for index in 0..<frames &* channels { body(index, index) }
      return
    }
    for (channel, from) in order.enumerated() {
      for frame in 0..<frames { body(frame &* channels &+ channel, frame &* channels &+ from) }
    }
  }
}
