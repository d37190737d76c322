/// Sound in which each frame tells its number and its source: the left sample has the lower 15 bits of the number, the
/// right sample the rest and a tag. So a test finds in captured sound which frames of which source were heard.
public struct TaggedFrames {
  /// 1 to 127. Different for each source of a test.
  public let tag: Int16

  public init(tag: Int16) { self.tag = tag }

  /// A packet of the socket of an app, with frames of two channels of 16 bits.
  public func packet(_ numbers: Range<Int64>) -> [UInt8] {
    var packet = [UInt8](repeating: 0, count: 8)
    packet.reserveCapacity(16 + numbers.count * 4)
    withUnsafeBytes(of: UInt64(numbers.lowerBound).littleEndian) { packet += $0 }
    for frame in numbers {
      for sample in [Int16(frame & 0x7FFF), Int16(frame >> 15 & 0xFF) | tag << 8] {
        withUnsafeBytes(of: sample.littleEndian) { packet += $0 }
      }
    }
    return packet
  }

  /// A WAV file with the first frames, at 44.1 kHz.
  public func wave(frames: Int) -> [UInt8] {
    let number = { (value: Int) in withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) } }
    let size = frames * 4
    var file = Array("RIFF".utf8) + number(36 + size) + Array("WAVEfmt ".utf8) + number(16)
    // Integer samples, two channels; 44 100 frames and 176 400 bytes a second; 4 bytes a frame, 16 bits a sample.
    file += number(2 << 16 | 1) + number(44_100) + number(176_400) + number(16 << 16 | 4)
    file += Array("data".utf8) + number(size)
    let samples = (0..<UInt32(frames)).map {
      ($0 & 0x7FFF | ($0 >> 15 & 0xFF | UInt32(tag) << 8) << 16).littleEndian
    }
    return file + samples.withUnsafeBytes { Array($0) }
  }

  /// Consecutive frames of the source.
  public struct Run: Equatable {
    /// Their numbers.
    public var numbers: Range<Int64>
    /// Where they are in the capture, in frames. Longer than ``numbers`` if other frames are between them.
    public var place: Range<Int>
  }

  /// The frames of this source in captured samples (stereo, 32 bits), in their order. Frames that are faded or mixed
  /// are left out.
  public func found(in samples: [Int32]) -> [Run] {
    var runs: [Run] = []
    for index in stride(from: 0, to: samples.count - 1, by: 2) {
      let (left, right) = (samples[index], samples[index + 1])
      guard left & 0xFFFF == 0, right & 0xFFFF == 0, right >> 24 == Int32(tag) else { continue }
      let frame = Int64(left >> 16) | Int64(right >> 16 & 0xFF) << 15
      if let last = runs.last, last.numbers.upperBound == frame {
        runs[runs.count - 1].numbers = last.numbers.lowerBound..<frame + 1
        runs[runs.count - 1].place = last.place.lowerBound..<index / 2 + 1
      } else {
        runs.append(Run(numbers: frame..<frame + 1, place: index / 2..<index / 2 + 1))
      }
    }
    // A faded frame can look like another frame. It never looks like a long run.
    return runs.filter { $0.numbers.count > 200 }
  }
}
