/// Reads parts of a file that are spread over all of it, to find out whether most of the file is sound. Programs
/// contain a few bytes that look like frames, for example in tables.
enum FrameSamples {
  /// Together the parts are at most 128 KB.
  private static let maximumParts: Int64 = 8
  /// Enough for five of the largest MPEG frames.
  private static let partBytes: Int64 = 16 << 10

  /// True if frames are more than half of the bytes.
  /// - Parameter frameBytes: returns how many bytes of a part belong to frames.
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
  /// The number of bytes in MPEG frames of this stream: three or more in a row, or all of `bytes`.
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
  /// All bytes if a FLAC frame of this stream begins in them, because a FLAC frame may be as large as the part.
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
