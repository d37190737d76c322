internal import Files

/// The sound of `sound test`: a tone on the left channel, then a higher tone on the right channel. The unit has no such
/// file, so it writes one into a folder in memory.
enum TestTone {
  static let name = "test-tone.wav"
  static let rate = 16_000
  /// The frames of one tone: 0.8 s.
  static let toneFrames = rate * 4 / 5
  /// The frames of silence after a tone: 0.2 s.
  static let pauseFrames = rate / 5
  /// Half the largest sample, so that the tone is not louder than music.
  private static let amplitude = 8192

  /// Writes the file into `folder`, and returns its path.
  static func write(in folder: String) throws(ReplacedFile.Failure) -> String {
    try ReplacedFile.write(wav, to: name, in: folder, temporary: ".\(name).new")
    return "\(folder)/\(name)"
  }

  /// The file: 16 bits, two channels. A triangle wave needs no sine, and has few harmonics.
  static var wav: [UInt8] {
    var samples: [UInt8] = []
    samples.reserveCapacity((toneFrames + pauseFrames) * 8)
    // A period of 40 frames is 400 Hz, a period of 20 frames is 800 Hz.
    for (channel, period) in [(0, 40), (1, 20)] {
      for frame in 0..<toneFrames + pauseFrames {
        let phase = frame % period
        let half = period / 2
        // The distance to the middle of the period goes from 0 to `half` and back.
        let height = (half - abs(phase - half)) * 2 - half
        let isTone = frame < toneFrames
        let sample = Int16(isTone ? height * amplitude / half : 0)
        for other in 0...1 { samples += bytes(other == channel ? sample : 0) }
      }
    }
    let header: [UInt8] =
      Array("RIFF".utf8) + bytes(UInt32(36 + samples.count)) + Array("WAVEfmt ".utf8)
      + bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(2)) + bytes(UInt32(rate))
      + bytes(UInt32(rate * 4)) + bytes(UInt16(4)) + bytes(UInt16(16)) + Array("data".utf8)
      + bytes(UInt32(samples.count))
    return header + samples
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
