internal import CVorbisFile
internal import Glibc

/// Decodes one link of Ogg Vorbis with an instance of libvorbisfile for this link only. So libvorbisfile never handles
/// a chain, for which it would recurse once per link.
final class VorbisDecoder: LinkDecoder {
  /// The largest number of frames per read. A long Vorbis block gives at most 4096 frames.
  private static let framesPerRead: Int64 = 4096
  /// The largest number of frames that one call of ``next()`` decodes on the way to the target of a seek. Decoding
  /// these frames takes a fraction of a second.
  private static let framesPerCall = 1 << 22

  private let keepsSamples: Bool
  private let reader: GuardedOggReader
  /// The structure is on the heap, because libvorbisfile stores pointers to parts of it.
  private let file: UnsafeMutablePointer<OggVorbis_File>
  let format: StreamFormat
  /// For each channel in ALSA's order, its index in Vorbis' order.
  private let order: [Int]
  private let totalFrames: Int64
  /// ``seek(to:)`` uses `ov_pcm_seek` only for targets above this granule position. Nil if it must never use
  /// `ov_pcm_seek`.
  private let searchesAbove: Int64?
  private var block = SampleBlock()
  /// The target of a seek. Frames before this position are not returned.
  private var target: Int64 = 0
  private var isEnded = false

  init(_ source: any ByteSource, link: OggLink, keepsSamples: Bool) throws(DecodeError) {
    let start = link.range.lowerBound
    self.keepsSamples = keepsSamples
    let headers = try VorbisHeaders(source, link: link)
    let sound = headers.soundStart..<max(headers.soundStart, link.range.upperBound)
    reader = GuardedOggReader(source, headers: headers.pages, range: sound)
    let file = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    file.initialize(to: OggVorbis_File())
    reader.packets = (UnsafeRawPointer(file) + MemoryLayout.offset(of: \OggVorbis_File.os)!)
      .assumingMemoryBound(to: ogg_stream_state.self)
    let callbacks = ov_callbacks(
      read_func: vorbisRead, seek_func: vorbisSeek, close_func: nil, tell_func: vorbisTell)
    reader.permitSearch()
    let status = ov_open_callbacks(
      Unmanaged.passUnretained(reader).toOpaque(), file, nil, 0, callbacks)
    guard status == 0, let info = ov_info(file, 0) else {
      // After a failed open, libvorbisfile has cleared the structure itself.
      file.deallocate()
      throw reader.failure?.withReaction(.refuseFile)
        ?? DecodeError(.refuseFile, at: .byte(start), "no Vorbis headers (\(message(status)))")
    }
    self.file = file
    let channels = Int(info.pointee.channels)
    let rate = Int(info.pointee.rate)
    let layout = ChannelLayout.vorbis(channels: channels)
    format = StreamFormat(sampleRate: rate, layout: layout.alsaOrdered, encoding: .float)
    order = layout.alsaOrdered.permutation(from: layout)
    totalFrames = max(0, min(ov_pcm_total(file, 0), FrameTimes.maximumPosition))
    searchesAbove = Self.searchesAbove(source, sound, link.serial)
  }

  deinit {
    ov_clear(file)
    file.deallocate()
  }

  var frameCount: Int64? { totalFrames }
  var end: Int64 { reader.end }
  /// The position after the last frame that the library has decoded.
  private(set) var nextFrame: Int64 = 0

  func next() throws(DecodeError) -> DecodeStep {
    var decoded = 0
    while !isEnded, decoded < Self.framesPerCall {
      reader.allowance = DecodingCost.perCall.bytes
      var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
      var section: Int32 = 0
      // Read only up to the target of a seek, so that the next read begins at the target.
      let before = target - nextFrame
      let wanted = before > 0 ? min(before, Self.framesPerRead) : Self.framesPerRead
      let count = ov_read_float(file, &planes, Int32(wanted), &section)
      // `section` is the number of the link. It is always 0, because ``OggGuard`` ends the data before the next link.
      // Any other number ends the decoding.
      guard count <= 0 || section == 0 else { break }
      if count > 0, let planes {
        reader.foundSound()
        updatePosition(count: Int64(count))
        decoded += count
        if before <= 0 { return frames(UnsafePointer(planes), count) }
      } else if let step = try step(Int32(count)) {
        return step
      }
    }
    guard !isEnded, decoded >= Self.framesPerCall else {
      isEnded = true
      return .end
    }
    return .working
  }

  /// Sets the position to the position of libvorbisfile, which knows how many frames are missing in a damaged part. If
  /// the pages contradict each other, the position of libvorbisfile can be far after the end of the link. Then the
  /// decoded frames are counted instead.
  private func updatePosition(count: Int64) {
    let counted = nextFrame + count
    let told = ov_pcm_tell(file)
    nextFrame = (0...max(totalFrames, counted)).contains(told) ? told : counted
  }

  private func frames(
    _ planes: UnsafePointer<UnsafeMutablePointer<Float>?>, _ count: Int
  ) -> DecodeStep {
    if keepsSamples {
      block.reserve(samples: count * format.channels)
      interleave(
        planes, into: block.base.assumingMemoryBound(to: Float.self), count: count, order: order)
    }
    return .frames(
      FrameBlock(
        samples: keepsSamples ? UnsafeRawPointer(block.base) : nil, frameCount: count,
        position: max(0, nextFrame - Int64(count))))
  }

  /// Interprets the status of a read that returned no sound.
  /// - Returns: nil at the end.
  private func step(_ status: Int32) throws(DecodeError) -> DecodeStep? {
    // If ``reader`` stops, libvorbisfile reports the end.
    if status == 0 || reader.failure != nil {
      do throws(DecodeError) {
        if let notice = try reader.checkInterruption(at: nextFrame) { return .skipped(notice) }
      } catch {
        isEnded = true
        throw error
      }
    }
    switch status {
    case 0:
      isEnded = true
      return nil
    case OV_HOLE:
      return .skipped(
        DecodeError(
          .skipPacket, at: .frame(nextFrame), "a part is missing or damaged", kind: .missingData))
    default:
      isEnded = true
      throw DecodeError(.endTrack, at: .frame(nextFrame), "cannot continue (\(message(status)))")
    }
  }

  func seek(to frame: Int64) throws(DecodeError) {
    reader.permitSearch()
    target = max(frame, 0)
    isEnded = target >= totalFrames
    guard !isEnded else { return }
    // `pcmlengths` contains the first granule position. It is not always 0, so it is added to the target.
    let (granule, isTooLarge) = target.addingReportingOverflow(file.pointee.pcmlengths[0])
    let searches = searchesAbove.map { granule > $0 && !isTooLarge } ?? false
    let status = searches ? ov_pcm_seek(file, target) : rewind()
    guard status == 0 else {
      isEnded = true
      throw reader.failure
        ?? DecodeError(.endTrack, at: .frame(target), "the seek failed (\(message(status)))")
    }
    if searches {
      nextFrame = target
      target = 0
    } else {
      nextFrame = 0
    }
  }

  /// Goes to the start of the link. `ov_raw_seek` drops the packets of a page that ends the stream, because their
  /// positions are uncertain. If this page is also the first page with sound, the packets must be kept. `ov_raw_seek`
  /// keeps them only if the decoder is not set up. So the decoder is cleared before.
  private func rewind() -> Int32 {
    vorbis_dsp_clear(&file.pointee.vd)
    vorbis_block_clear(&file.pointee.vb)
    file.pointee.ready_state = OPENED
    return ov_raw_seek(file, file.pointee.dataoffsets[0])
  }

  /// The granule position of the first page that has one. A seek to a target above this position uses `ov_pcm_seek`. A
  /// seek to a target at or below this position decodes from the start of the link. Nil if all seeks must decode from
  /// the start. Decoding from the start avoids two faults of libvorbis 1.3.7:
  ///
  /// - A page states the frame at which its last packet ends. If no packet ends on the page that a seek finds,
  ///   `ov_pcm_seek_page` goes back to the page on which the packet begins. If even the first page does not contain the
  ///   beginning of the packet, `ov_pcm_seek_page` never returns.
  /// - If no page ends before the target, `ov_pcm_seek_page` uses a page that it has read before. The bytes of this
  ///   page can be overwritten in the meantime, and libogg then writes outside of its memory.
  private static func searchesAbove(
    _ source: any ByteSource, _ sound: Range<Int64>, _ serial: Int32
  ) -> Int64? {
    let pages = OggPageReader(source, range: sound)
    var isFirst = true
    while let page = try? pages.next(cost: DecodingCost.perCall.bytes) {
      guard page.serial == serial else { continue }
      let endsPacket = pages.lacing.contains { $0 < 255 }
      if isFirst, page.continuesPacket || (page.granulePosition != -1 && !endsPacket) { return nil }
      isFirst = false
      if page.granulePosition != -1 { return page.granulePosition }
    }
    return nil
  }
}

private func message(_ status: Int32) -> String {
  switch status {
  case OV_EREAD: "a read failed"
  case OV_ENOTVORBIS: "not Vorbis data"
  case OV_EVERSION: "an unknown version of Vorbis"
  case OV_EBADHEADER: "a header is damaged"
  case OV_EFAULT: "the stream is inconsistent"
  case OV_EBADLINK: "a link is damaged"
  default: "libvorbisfile error \(status)"
  }
}

// MARK: - Callbacks

private func reader(_ context: UnsafeMutableRawPointer?) -> GuardedOggReader {
  Unmanaged<GuardedOggReader>.fromOpaque(context!).takeUnretainedValue()
}

private func vorbisRead(
  buffer: UnsafeMutableRawPointer?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  // libvorbisfile distinguishes an error from the end by errno.
  errno = 0
  guard let buffer, let read = reader(context).read(into: buffer, count: size * count) else {
    errno = EIO
    return 0
  }
  return read
}

private func vorbisSeek(
  context: UnsafeMutableRawPointer?, offset: ogg_int64_t, whence: Int32
) -> Int32 {
  reader(context).seek(by: offset, whence: whence)
}

private func vorbisTell(context: UnsafeMutableRawPointer?) -> Int {
  Int(reader(context).position)
}
