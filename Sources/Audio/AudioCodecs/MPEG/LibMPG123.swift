internal import CMPG123

/// An instance of libmpg123, which decodes MPEG frames to interleaved floats.
///
/// libmpg123 only decodes: ``MPEGFrames`` finds the MPEG frames, and ``MPEGDecoder`` trims and seeks.
final class LibMPG123 {
  /// Samples in the memory of libmpg123, valid until the next call.
  struct Block {
    let samples: UnsafePointer<Float>
    /// Number of samples, summed over all channels.
    let count: Int
  }

  enum Result {
    case block(Block)
    /// The next block has this rate and this number of channels.
    case format(sampleRate: Int, channels: Int)
    /// All MPEG frames that ``feed(_:)`` has added are decoded.
    case empty
  }

  private let handle: OpaquePointer

  /// - Throws: ``DecodeError/Reaction/refuseFile`` if libmpg123 cannot be set up, for example without memory.
  init() throws(DecodeError) {
    var status: Int32 = 0
    guard let handle = mpg123_new(nil, &status) else {
      throw DecodeError(.refuseFile, at: .byte(0), "libmpg123: \(Self.message(status))")
    }
    self.handle = handle
    let added =
      MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_IGNORE_INFOFRAME.rawValue
      // The flag NO_READAHEAD: an MPEG frame is decoded before the next MPEG frame is fed.
      | MPG123_NO_READAHEAD.rawValue | MPG123_SKIP_ID3V2.rawValue
    cmpg123_set(handle, MPG123_ADD_FLAGS, Int(added))
    cmpg123_set(handle, MPG123_REMOVE_FLAGS, Int(MPG123_GAPLESS.rawValue))
    // libmpg123 never seeks here, so it needs no index.
    cmpg123_set(handle, MPG123_INDEX_SIZE, 0)
    guard mpg123_open_feed(handle) == MPG123_OK.rawValue else {
      let reason = String(cString: mpg123_strerror(handle))
      mpg123_delete(handle)
      throw DecodeError(.refuseFile, at: .byte(0), "libmpg123: \(reason)")
    }
  }

  deinit { mpg123_delete(handle) }

  /// Drops all MPEG frames. The state is then the same as after ``init()``.
  func reset() { mpg123_open_feed(handle) }

  /// Adds complete MPEG frames.
  func feed(_ bytes: UnsafeRawBufferPointer) {
    mpg123_feed(handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Decodes one MPEG frame. Nil if libmpg123 cannot decode it.
  func decode() -> Result? {
    var samples: UnsafeMutablePointer<UInt8>?
    var bytes = 0
    switch mpg123_decode_frame(handle, nil, &samples, &bytes) {
    case MPG123_OK.rawValue:
      guard let samples else { return .empty }
      let count = bytes / MemoryLayout<Float>.size
      return .block(
        Block(
          samples: UnsafeRawPointer(samples).assumingMemoryBound(to: Float.self), count: count))
    case MPG123_NEW_FORMAT.rawValue:
      var (rate, channels, encoding) = (0, Int32(0), Int32(0))
      guard mpg123_getformat(handle, &rate, &channels, &encoding) == MPG123_OK.rawValue,
        encoding == MPG123_ENC_FLOAT_32.rawValue, (1...2).contains(channels), rate > 0
      else { return nil }
      return .format(sampleRate: rate, channels: Int(channels))
    case MPG123_NEED_MORE.rawValue: return .empty
    default: return nil
    }
  }

  private static func message(_ status: Int32) -> String {
    mpg123_plain_strerror(status).map { String(cString: $0) } ?? "error \(status)"
  }
}
