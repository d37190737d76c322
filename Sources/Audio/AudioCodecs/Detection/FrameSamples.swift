/// Reads some parts of a file, at equal distances from its start to its end, to find out whether most of the file is
/// sound. A program file contains only a few bytes that look like frames, for example in tables.
enum FrameSamples {
  /// The largest number of parts that are read. Together they have at most 128 KB.
  private static let maximumParts: Int64 = 8
  /// The size of a part. It is large enough for five MPEG frames of the largest size.
  private static let partBytes: Int64 = 16 << 10

  /// True if more than half of the bytes that were read belong to MPEG frames or FLAC frames.
  /// - Parameter frameBytes: counts the bytes of a part that belong to frames.
  static func areMost(
    of range: Range<Int64>, _ source: any ByteSource, frameBytes: ([UInt8]) -> Int
  ) throws(ByteSourceError) -> Bool {
    let size = range.upperBound - range.lowerBound
    let part = min(partBytes, size)
    let parts = min(maximumParts, (size + partBytes - 1) / partBytes)
    var (frames, all) = (0, 0)
    for number in 0..<parts {
      let start = range.lowerBound + (size - part) / max(parts - 1, 1) * number
      let bytes = try source.prefix(at: start, count: Int(part))
      frames += frameBytes(bytes)
      all += bytes.count
    }
    return frames > all / 2
  }
}

extension MPEGFrameHeader {
  /// The number of bytes that belong to MPEG frames of this stream. Consecutive MPEG frames count if there are three or
  /// more, or if they fill `bytes` completely.
  func frameBytes(in bytes: [UInt8]) -> Int {
    var (sum, index) = (0, 0)
    while index + Self.bytes <= bytes.count {
      var (end, frames) = (index, 0)
      while end + Self.bytes <= bytes.count, let header = Self(bytes[end..<end + Self.bytes]),
        header.bitRate > 0, header.isCompatible(with: self)
      {
        end += header.byteCount
        frames += 1
      }
      if frames > 2 || index == 0 && end == bytes.count {
        end = min(end, bytes.count)
        sum += end - index
        index = end
      } else {
        index += 1
      }
    }
    return sum
  }
}

extension FLACFrameHeader {
  /// The size of `bytes` if a FLAC frame of this stream begins in `bytes`, otherwise 0. A FLAC frame can be as large as
  /// `bytes`, so its end is not searched.
  func frameBytes(in bytes: [UInt8]) -> Int {
    var rest = bytes[...]
    while let found = rest.withUnsafeBytes({ Self.first(in: $0) }) {
      let header = found.header
      if header.sampleRate == sampleRate, header.channels == channels,
        header.bitsPerSample == bitsPerSample, header.isVariable == isVariable
      {
        return bytes.count
      }
      rest = rest.dropFirst(found.index + 1)
    }
    return 0
  }
}
