package import AudioCodecs

/// The format in which an app sends the frames of a stream.
package struct AppStreamFormat: Equatable, Sendable {
  /// The coding of a sample, little endian. The raw value is its name on the wire.
  package enum Samples: String, CaseIterable, Sendable {
    /// 16 bits, two's complement.
    case s16
    /// 24 bits, left-justified in 32 bits.
    case s32
    /// IEEE 754 binary32. Full scale is ±1.
    case f32

    var byteCount: Int { self == .s16 ? 2 : 4 }
  }

  /// Why a format is refused. Each case has the value that was given.
  package enum Refusal: Error, Equatable {
    case rate(Int)
    case channels(Int)
    case samples(String)
  }

  /// Frames per second, 8000 … 192 000.
  package let rate: Int
  /// 1 or 2.
  package let channels: Int
  package let samples: Samples

  /// - Parameter samples: `s16`, `s32` or `f32`.
  package init(rate: Int, channels: Int, samples: String) throws(Refusal) {
    guard (8000...192_000).contains(rate) else { throw .rate(rate) }
    guard (1...2).contains(channels) else { throw .channels(channels) }
    guard let known = Samples(rawValue: samples) else { throw .samples(samples) }
    self.rate = rate
    self.channels = channels
    self.samples = known
  }

  /// The number of bytes of a frame.
  package var frameBytes: Int { channels * samples.byteCount }

  /// The format of the frames for the engine.
  package var decoded: StreamFormat {
    let encoding: SampleEncoding =
      switch samples {
      case .s16: .integer(bits: 16)
      case .s32: .integer(bits: 24)
      case .f32: .float
      }
    return StreamFormat(
      sampleRate: rate, layout: channels == 1 ? .mono : .stereo, encoding: encoding)
  }

  /// The time of a frame in the stream, for the engine.
  package func seconds(atFrame frame: Int64) -> Double { Double(frame) / Double(rate) }

  /// The frame at a position of the engine. Below 2^50, this is the exact inverse of ``seconds(atFrame:)``.
  package func frame(atSeconds seconds: Double) -> Int64 {
    let frame = (seconds * Double(rate)).rounded()
    return frame.isNaN ? 0 : Int64(min(max(frame, 0), Double(FrameNumber.limit)))
  }

  /// Writes samples of this format as the four-byte samples of ``decoded``.
  func decode(_ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer) {
    guard samples == .s16 else {
      return out.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    let from = bytes.assumingMemoryBound(to: Int16.self)
    let to = out.assumingMemoryBound(to: Int32.self)
    for index in 0..<from.count { to[index] = Int32(from[index]) << 16 }
  }

  /// Writes samples of this format as floats.
  func decodeFloats(_ bytes: UnsafeRawBufferPointer, into out: UnsafeMutablePointer<Float>) {
    decode(bytes, into: out)
    guard samples != .f32 else { return }
    let from = UnsafeMutableRawPointer(out).assumingMemoryBound(to: Int32.self)
    for index in 0..<bytes.count / samples.byteCount {
      out[index] = Float(from[index]) * (1 / 2_147_483_648)
    }
  }
}

/// The numbers of the frames of a stream. An app counts them from 0, and they only grow.
package enum FrameNumber {
  /// All numbers are below this limit, so the engine can express each number as a time.
  package static let limit: Int64 = 1 << 52

  /// A number that an app sent, limited to the valid range.
  package static func clamped(_ number: UInt64) -> Int64 { Int64(min(number, UInt64(limit))) }
}
