/// Checks the packets of a stream and decides which frames count. A value without I/O.
///
/// A packet has a header of 16 bytes, little endian: a type (u32, 0), a reserved field (u32, 0) and the number of its
/// first frame (u64). Whole frames follow.
struct PacketSequence {
  static let headerBytes = 16
  /// The largest number of bytes of frames in a packet.
  static let largestContent = 32 * 1024
  static let largestPacket = headerBytes + largestContent

  /// The frames of a packet that count.
  struct Frames {
    let first: Int64
    let bytes: UnsafeRawBufferPointer
  }

  let format: AppStreamFormat
  private(set) var counts = StreamCounts()
  /// The number of the next frame. All frames that were received have lower numbers.
  private(set) var next: Int64 = 0
  /// The number of the last flush.
  private var flushed: Int64 = 0
  /// The number after the last frame of the content. Nil if the app has not named it.
  private(set) var end: Int64?

  init(_ format: AppStreamFormat) { self.format = format }

  /// True if all frames of the content were received.
  var isComplete: Bool { end.map { $0 <= next } ?? false }

  /// Takes a packet. Returns its frames without those that were received before and those after the end of the content.
  /// Nil if no frame counts. Replaces values that are no numbers by 0 in the memory of the packet.
  mutating func take(_ packet: UnsafeMutableRawBufferPointer) -> Frames? {
    guard packet.count > Self.headerBytes, packet.count <= Self.largestPacket,
      (packet.count - Self.headerBytes) % format.frameBytes == 0,
      packet.loadUnaligned(as: UInt64.self) == 0
    else { return reject() }
    let number = packet.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let count = Int64((packet.count - Self.headerBytes) / format.frameBytes)
    guard number < UInt64(FrameNumber.limit), Int64(number) + count <= FrameNumber.limit
    else { return reject() }
    let numbers = Int64(number)..<Int64(number) + count
    let valid = numbers.clamped(to: next..<max(next, end ?? FrameNumber.limit))
    counts.received += count
    counts.dropped += count - Int64(valid.count)
    next = max(next, numbers.upperBound)
    guard !valid.isEmpty else { return nil }
    let start = Self.headerBytes + Int(valid.lowerBound - numbers.lowerBound) * format.frameBytes
    let bytes = UnsafeMutableRawBufferPointer(
      rebasing: packet[start..<start + valid.count * format.frameBytes])
    if format.samples == .f32 { clean(bytes) }
    return Frames(first: valid.lowerBound, bytes: UnsafeRawBufferPointer(bytes))
  }

  private mutating func reject() -> Frames? {
    counts.broken += 1
    return nil
  }

  private mutating func clean(_ bytes: UnsafeMutableRawBufferPointer) {
    let samples = bytes.assumingMemoryBound(to: Float.self)
    for index in samples.indices where !samples[index].isFinite {
      samples[index] = 0
      counts.notFinite += 1
    }
  }

  /// Frames below `number` no longer count, and the content has no end again. Frames from `number` on can have arrived
  /// before this call, because the call comes on another connection.
  mutating func flush(next number: UInt64) throws(FlushRefusal) {
    guard number < UInt64(FrameNumber.limit) else { throw .tooLarge }
    guard number >= UInt64(flushed) else { throw .isPast(next: flushed) }
    flushed = Int64(number)
    next = max(next, flushed)
    end = nil
  }

  /// The content ends before the frame `number`.
  mutating func finish(at number: UInt64) { end = FrameNumber.clamped(number) }

  /// Frames below `number` no longer count.
  mutating func skip(to number: Int64) { next = max(next, min(number, FrameNumber.limit)) }

  /// Counts frames that were received and are not played.
  mutating func drop(_ frames: Int64) { counts.dropped += max(0, frames) }
}

/// What has happened to the packets of a stream.
package struct StreamCounts: Equatable, Sendable {
  /// Number of frames in valid packets.
  package var received: Int64 = 0
  /// Number of frames that were received and not given to the engine.
  package var dropped: Int64 = 0
  /// Number of packets that were not valid.
  package var broken: Int64 = 0
  /// Number of samples that were infinite or no numbers. They became 0.
  package var notFinite: Int64 = 0
}

/// Why a number of a flush is refused. The stream is unchanged.
package enum FlushRefusal: Error, Equatable {
  /// A later frame was heard or flushed already. The lowest permitted number is `next`.
  case isPast(next: Int64)
  /// The number is not below ``FrameNumber/limit``.
  case tooLarge
}
