internal import CFLAC

/// Uses libFLAC only to decode FLAC frames. Other code reads metadata, reads Ogg pages and seeks, because libFLAC does
/// not check the values from the file that it uses for these tasks. Other code also searches after damage, because
/// libFLAC would search to the end of the input.
///
/// So libFLAC gets a generated stream: a STREAMINFO and then FLAC frames. If the minimum and the maximum block size in
/// STREAMINFO are equal, libFLAC multiplies the number of a block by this size. In the generated STREAMINFO both sizes
/// are 1, so libFLAC returns the number as it is in the FLAC frame.
final class LibFLAC {
  /// Name and version of the library, for display.
  static var version: String { "libFLAC \(String(cString: cflac_version()))" }

  /// The result of one call of ``decode()``.
  enum Step {
    /// A complete FLAC frame with a correct checksum.
    case block(Block)
    /// The input is at its end, and no byte was left to decode.
    case end
    /// The input ended within data that looked like a FLAC frame.
    case cutOff
    /// There was data that is not a FLAC frame, the medium failed, or the input's allowance is used up.
    case lost
  }

  /// The properties of a decoded FLAC frame.
  struct Block {
    let format: StreamFormat
    let frameCount: Int
    /// The number in the FLAC frame header. It is the number of the block (fixed block size) or of the block's first
    /// frame (variable block size).
    let number: Int64
  }

  /// Bytes per read. After damage, libFLAC searches all bytes in its buffer before it returns. This can take long,
  /// because libFLAC decodes each false FLAC frame for some milliseconds. So the value is small.
  static let bytesPerRead = 256
  /// The smallest bit depth of ``SampleEncoding``. If a stream has fewer bits per sample, its ``StreamFormat`` states
  /// this smallest bit depth instead.
  static let minimumBits = 4

  private let handle: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let input: any FLACInput
  private let channelMask: UInt32?
  private let keepsSamples: Bool
  private var layouts = LayoutMemory()
  private var samples = SampleBlock()
  /// The part of the generated header that libFLAC has not read yet.
  private var header: ArraySlice<UInt8>
  /// Bytes of the input that libFLAC has read since the start or the last restart.
  private var bytesRead: Int64 = 0

  private var written: Block?
  /// What the last call of ``decode()`` found instead of a FLAC frame; nil if there was no damage.
  private(set) var damageReason: String?

  /// - Parameters:
  ///   - streamInfo: the MD5, and the format for FLAC frames whose headers do not contain the format.
  ///   - keepsSamples: false if the stream is only verified. In this case libFLAC computes the MD5.
  init(
    _ input: any FLACInput, streamInfo: FLACStreamInfo, channelMask: UInt32?, keepsSamples: Bool
  ) throws(DecodeError) {
    guard let handle = FLAC__stream_decoder_new() else {
      throw DecodeError(.refuseFile, at: .byte(0), "no memory for a FLAC decoder")
    }
    self.handle = handle
    self.input = input
    self.channelMask = channelMask
    self.keepsSamples = keepsSamples
    header = Self.header(streamInfo)[...]
    FLAC__stream_decoder_set_md5_checking(handle, keepsSamples ? 0 : 1)
    let status = FLAC__stream_decoder_init_stream(
      handle, flacRead, nil, flacTell, nil, nil, flacWrite, nil, flacError,
      Unmanaged.passUnretained(self).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK,
      FLAC__stream_decoder_process_until_end_of_metadata(handle) != 0
    else {
      throw DecodeError(.refuseFile, at: .byte(0), "libFLAC cannot start (\(status.rawValue))")
    }
  }

  deinit { FLAC__stream_decoder_delete(handle) }

  /// `fLaC` and a STREAMINFO that is the only block: RFC 9639, sections 6, 8.1 and 8.2.
  private static func header(_ info: FLACStreamInfo) -> [UInt8] {
    let rate = UInt32(truncatingIfNeeded: info.sampleRate)
    let bits = UInt8(truncatingIfNeeded: info.bitsPerSample - 1)
    let channels = UInt8(truncatingIfNeeded: info.channels - 1)
    return Array("fLaC".utf8) + [0x80, 0, 0, 34]
      // The minimum and maximum block size (1), then the minimum and maximum size of a FLAC frame (0: unknown).
      + [0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
      + [
        UInt8(truncatingIfNeeded: rate >> 12), UInt8(truncatingIfNeeded: rate >> 4),
        UInt8(truncatingIfNeeded: rate << 4) | channels << 1 | bits >> 4,
        // The total number of frames is 0, which means unknown.
        bits << 4, 0, 0, 0, 0,
      ] + info.md5
  }

  /// Interleaved samples of the last block; nil if samples are not kept.
  var blockSamples: UnsafeMutableRawPointer? { keepsSamples ? samples.base : nil }

  /// Bytes that libFLAC has read and not examined yet.
  var unreadBytes: Int64 {
    var position: UInt64 = 0
    return FLAC__stream_decoder_get_decode_position(handle, &position) != 0
      ? bytesRead - Int64(clamping: position) : 0
  }

  /// Decodes a FLAC frame. Returns at the latest when ``FLACInput/allowance`` is used up.
  func decode() -> Step {
    written = nil
    damageReason = nil
    let unread = unreadBytes
    let readBefore = bytesRead
    let succeeded = FLAC__stream_decoder_process_single(handle) != 0
    if let written { return .block(written) }
    guard succeeded, damageReason == nil,
      FLAC__stream_decoder_get_state(handle) == FLAC__STREAM_DECODER_END_OF_STREAM
    else { return .lost }
    return unread > 0 || bytesRead > readBefore ? .cutOff : .end
  }

  /// Drops the bytes that were read, to continue at another offset of the input. Returns false if there is no memory.
  /// After a restart the MD5 is no longer computed.
  func restart() -> Bool {
    bytesRead = 0
    return FLAC__stream_decoder_flush(handle) != 0
  }

  /// True if the MD5 of all samples equals the MD5 of STREAMINFO. After this call nothing can be decoded.
  func finish() -> Bool { FLAC__stream_decoder_finish(handle) != 0 }

  // MARK: Functions for the callbacks of libFLAC

  fileprivate func read(_ destination: UnsafeMutableRawPointer, _ count: Int) -> Int? {
    if !header.isEmpty {
      let part = header.prefix(count)
      header = header.dropFirst(count)
      part.withUnsafeBytes { destination.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      return part.count
    }
    // After damage, libFLAC gets no more bytes. With more bytes, it would continue to search, perhaps through
    // gigabytes.
    guard damageReason == nil else { return nil }
    let read = input.read(into: destination, count: min(count, Self.bytesPerRead))
    bytesRead += Int64(read ?? 0)
    return read
  }

  fileprivate var position: UInt64 { UInt64(clamping: bytesRead) }

  fileprivate func wrote(
    _ frame: FLAC__Frame, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
  ) {
    let header = frame.header
    let count = Int(header.blocksize)
    let bits = Int(header.bits_per_sample)
    layouts.update(Int(header.channels), mask: channelMask)
    if keepsSamples {
      samples.reserve(samples: count * layouts.target.count)
      interleave(
        channels, into: samples.base.assumingMemoryBound(to: Int32.self), count: count,
        shift: Int32(32 - bits), order: layouts.order)
    }
    // If blocks are missing, libFLAC first calls this function with silence in their place. The last call has the
    // samples of the FLAC frame and replaces the silence.
    written = Block(
      format: StreamFormat(
        sampleRate: max(Int(header.sample_rate), 1), layout: layouts.target,
        encoding: .integer(bits: max(bits, Self.minimumBits))),
      frameCount: count, number: Int64(clamping: header.number.sample_number))
  }

  /// FLAC__STREAM_DECODER_ERROR_STATUS_MISSING_FRAME, which exists since libFLAC 1.5. It is ignored here, because
  /// ``FLACNumbering`` counts missing frames.
  private static let missingFrame: UInt32 = 6

  fileprivate func failed(_ status: FLAC__StreamDecoderErrorStatus) {
    guard damageReason == nil, status.rawValue != Self.missingFrame else { return }
    damageReason =
      switch status {
      case FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC: "not a FLAC frame"
      case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER: "a FLAC frame header is damaged"
      case FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH: "a FLAC frame is damaged (CRC)"
      case FLAC__STREAM_DECODER_ERROR_STATUS_UNPARSEABLE_STREAM: "unknown kind of FLAC frame"
      default: "a part of the stream is damaged (\(status.rawValue))"
      }
  }
}

/// Stores the last layout, so that it is not computed for each block.
private struct LayoutMemory {
  private var channels = 0
  /// The layout, in ALSA's order.
  private(set) var target = ChannelLayout.mono
  /// For each channel of ``target``, its index in the FLAC frame.
  private(set) var order = [0]

  mutating func update(_ channels: Int, mask: UInt32?) {
    guard channels != self.channels else { return }
    self.channels = channels
    let source =
      mask.flatMap { ChannelLayout.flac(mask: $0, channels: channels) }
      ?? .flac(channels: channels)
    target = source.alsaOrdered
    order = target.permutation(from: source)
  }
}

// MARK: - Callbacks

// A C callback cannot be a Swift method, so each callback finds its object in the context.

private typealias Handle = UnsafePointer<FLAC__StreamDecoder>?
private typealias Context = UnsafeMutableRawPointer?

private func library(_ context: Context) -> LibFLAC {
  Unmanaged<LibFLAC>.fromOpaque(context!).takeUnretainedValue()
}

private func flacRead(
  _: Handle, buffer: UnsafeMutablePointer<FLAC__byte>?, bytes: UnsafeMutablePointer<Int>?,
  context: Context
) -> FLAC__StreamDecoderReadStatus {
  guard let buffer, let bytes, bytes.pointee > 0,
    let read = library(context).read(buffer, bytes.pointee)
  else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
  bytes.pointee = read
  return read == 0
    ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

private func flacTell(_: Handle, position: UnsafeMutablePointer<FLAC__uint64>?, context: Context)
  -> FLAC__StreamDecoderTellStatus
{
  position?.pointee = library(context).position
  return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

private func flacWrite(
  _: Handle, frame: UnsafePointer<FLAC__Frame>?,
  channels: UnsafePointer<UnsafePointer<FLAC__int32>?>?, context: Context
) -> FLAC__StreamDecoderWriteStatus {
  guard let frame, let channels else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
  library(context).wrote(frame.pointee, channels)
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private func flacError(_: Handle, status: FLAC__StreamDecoderErrorStatus, context: Context) {
  library(context).failed(status)
}
