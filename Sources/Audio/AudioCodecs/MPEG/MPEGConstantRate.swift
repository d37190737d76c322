/// Computes the offsets of MPEG frames in a stream with constant bit rate.
///
/// An MPEG frame has on average `header.frameCount / 8 * bitRate / sampleRate` bytes, where `header.frameCount` is the
/// number of frames of sound in one MPEG frame. Encoders distribute the padding in different ways. But the size of the
/// first n MPEG frames differs from n times the average by at most one slot, the unit of padding.
struct MPEGConstantRate {
  private let source: any ByteSource
  private let range: Range<Int64>
  private let header: MPEGFrameHeader
  /// Number of MPEG frames in the stream.
  private(set) var count: Int64 = 0

  /// The largest difference between a computed offset and the real one, in bytes.
  private static let tolerance: Int64 = 4
  /// Number of computed offsets that are compared with the file.
  private static let probes: Int64 = 12
  /// The largest number of compared offsets at which an MPEG frame can be missing, for example because of damage.
  private static let maximumWrong = 2

  /// Counts the MPEG frames, and compares computed offsets with the file.
  /// - Parameter range: the bytes with the MPEG frames. `header` is the header at the start of this range.
  /// - Returns: nil if the bit rate changes, or if other data is between the MPEG frames.
  init?(_ source: any ByteSource, range: Range<Int64>, header: MPEGFrameHeader)
    throws(ByteSourceError)
  {
    // Each comparison needs several small reads, so the source is buffered.
    self.source = BufferedByteSource(source)
    self.range = range
    self.header = header
    let bytes = range.upperBound - range.lowerBound
    let (estimate, overflow) = bytes.multipliedReportingOverflow(by: Int64(8 * header.sampleRate))
    guard !overflow, header.bitRate > 0 else { return nil }
    // The padding of the last MPEG frames is unknown, so the estimated number can be wrong by one.
    let numbers = estimate / Int64(header.frameCount * header.bitRate)
    for number in [numbers + 1, numbers, numbers - 1] where number > 0 {
      if try offset(of: number - 1) != nil {
        count = number
        break
      }
    }
    guard count > 0 else { return nil }
    var wrong = 0
    for probe in 1..<Self.probes where try offset(of: count * probe / Self.probes) == nil {
      wrong += 1
    }
    guard wrong <= Self.maximumWrong else { return nil }
  }

  /// The offset of MPEG frame `number` in the file. Nil if no MPEG frame with the same bit rate is at the computed
  /// offset.
  func offset(of number: Int64) throws(ByteSourceError) -> Int64? {
    guard number > 0 else { return range.lowerBound }
    let bytesTimesRate = number * Int64(header.frameCount / 8 * header.bitRate)
    let computed = range.lowerBound + bytesTimesRate / Int64(header.sampleRate)
    for difference in [0, 1, -1, 2, -2, 3, -3, 4, -4] as [Int64] {
      let offset = computed + difference
      guard let found = try self.header(at: offset), matches(found) else { continue }
      let end = offset + Int64(found.byteCount)
      if end == range.upperBound { return offset }
      guard end < range.upperBound else { continue }
      if let next = try self.header(at: end), matches(next) { return offset }
      if range.upperBound - end < Int64(header.byteCount) { return offset }
    }
    return nil
  }

  /// The position of the MPEG frame at `offset`, counted in frames of sound. Nil if `offset` is not one of the computed
  /// offsets.
  func position(at offset: Int64) throws(ByteSourceError) -> Int64? {
    let rate = Int64(header.frameCount / 8 * header.bitRate)
    let (product, overflow) = (offset - range.lowerBound).multipliedReportingOverflow(
      by: Int64(header.sampleRate))
    guard !overflow, product >= 0 else { return nil }
    // The computed offset differs from the real offset by much less than half an MPEG frame, so rounding gives the
    // number of the MPEG frame.
    let number = (product + rate / 2) / rate
    return try self.offset(of: number) == offset ? number * Int64(header.frameCount) : nil
  }

  private func matches(_ other: MPEGFrameHeader) -> Bool {
    other.isCompatible(with: header) && other.bitRate == header.bitRate
  }

  private func header(at offset: Int64) throws(ByteSourceError) -> MPEGFrameHeader? {
    guard range.contains(offset) else { return nil }
    return try MPEGFrameHeader(source, at: offset)
  }
}
