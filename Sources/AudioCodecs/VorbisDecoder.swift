internal import CVorbisFile
internal import Glibc

/// Ogg Vorbis through libvorbisfile, link by link.
///
/// Each link of a chain has a libvorbisfile of its own over its part of the file. So one link at
/// a time is in memory, new tags and formats come exactly at the seam, and the library's own
/// chain handling, which recurses once per link, is never entered.
final class VorbisDecoder: AudioDecoder {
  private let source: any ByteSource
  private let keepsSamples: Bool
  private var links: [Link]
  private var current = 0
  private var stream: VorbisStream
  private(set) var format: StreamFormat
  private var block = SampleBlock()
  private var events: [DecodeStep] = []
  private var isEnded = false
  /// Behind the last page of the file.
  private let fileEnd: Int64
  /// The last page is missing; said once, at the end.
  private var endsEarly: Bool

  private struct Link {
    var ogg: OggLink
    /// Frames before it, in the whole stream.
    var start: Int64
    /// Seconds before it.
    var startSeconds: Double
    var frameCount: Int64
    var rate: Int
  }

  /// - Parameter ogg: the file's links; those of other codecs are left out with a notice.
  init(_ source: any ByteSource, links ogg: OggLinks, keepsSamples: Bool) throws(DecodeError) {
    self.source = source
    self.keepsSamples = keepsSamples
    endsEarly = !ogg.endsProperly
    fileEnd = ogg.end
    var links: [Link] = []
    var first: VorbisStream?
    var problem: DecodeError?
    var frames: Int64 = 0
    var seconds = 0.0
    for link in ogg.links {
      do throws(DecodeError) {
        let stream = try VorbisStream(source, link: link)
        links.append(
          Link(
            ogg: link, start: frames, startSeconds: seconds, frameCount: stream.frameCount,
            rate: stream.format.sampleRate))
        frames += stream.frameCount
        seconds += Double(stream.frameCount) / Double(stream.format.sampleRate)
        first = first ?? stream
      } catch {
        problem = problem ?? error
        if first != nil { events.append(.skipped(error.asNotice)) }
      }
    }
    guard let first else {
      throw problem ?? DecodeError(.refuseFile, at: .byte(0), "no Vorbis stream in it")
    }
    self.links = links
    stream = first
    format = first.format
    if let problem, events.isEmpty { events.append(.skipped(problem.asNotice)) }
  }

  /// Frames of all links.
  var frameCount: Int64 { links[links.count - 1].start + links[links.count - 1].frameCount }
  /// Seconds of all links.
  var durationSeconds: Double {
    let last = links[links.count - 1]
    return last.startSeconds + Double(last.frameCount) / Double(last.rate)
  }
  /// How many links the chain has.
  var linkCount: Int { links.count }
  /// Nominal bits per second of the first link; 0 is unknown.
  var nominalBitRate: Int { stream.nominalBitRate }

  func next() throws(DecodeError) -> DecodeStep {
    if let event = events.popFirst() { return event }
    guard !isEnded else { return .end }
    let link = links[current]
    do throws(DecodeError) {
      switch try stream.read() {
      case .frames(let planes, let count, let position):
        if keepsSamples {
          block.reserve(samples: count * format.channels)
          interleave(
            planes, into: block.base.assumingMemoryBound(to: Float.self), count: count,
            order: stream.order)
        }
        return .frames(
          FrameBlock(
            samples: keepsSamples ? UnsafeRawPointer(block.base) : nil, frameCount: count,
            position: link.start + position))
      case .hole(let position):
        return .skipped(
          DecodeError(
            .skipPacket, at: .frame(link.start + position), "a part is missing or damaged"))
      case .end:
        return try endOfLink()
      }
    } catch {
      isEnded = true
      throw error.asEnd
    }
  }

  /// The next link, be it in the index or met while reading, or the end.
  private func endOfLink() throws(DecodeError) -> DecodeStep {
    let end = stream.end
    let endsBeforeItsRange = end < links[current].ogg.range.upperBound
    if endsBeforeItsRange {
      // The next link's serial number is that of this one, or a later one's is.
      let rest = end..<links[current].ogg.range.upperBound
      links[current].ogg.range = links[current].ogg.range.lowerBound..<end
      links[current].frameCount = stream.position
      try insertLinks(in: rest)
    } else if current + 1 == links.count, end < fileEnd {
      // The index holds only so many at a time.
      try insertLinks(in: end..<fileEnd)
    }
    if current + 1 < links.count {
      try enter(current + 1)
      if format != stream.format {
        format = stream.format
        events.append(.formatChanged(format))
      }
      events.append(.metadataChanged(stream.metadata()))
    } else {
      isEnded = true
      if endsEarly {
        endsEarly = false
        events.append(
          .skipped(
            DecodeError(.skipPacket, at: .byte(end), "the file ends without its last page")))
      }
    }
    return events.popFirst() ?? .end
  }

  /// Takes the links of a part of the file into the index, behind the current one.
  private func insertLinks(in range: Range<Int64>) throws(DecodeError) {
    let found = try OggLinks(source, start: range.lowerBound, end: range.upperBound).links
    var inserted: [Link] = []
    for link in found {
      do throws(DecodeError) {
        let stream = try VorbisStream(source, link: link)
        inserted.append(
          Link(
            ogg: link, start: 0, startSeconds: 0, frameCount: stream.frameCount,
            rate: stream.format.sampleRate))
      } catch {
        events.append(.skipped(error.asNotice))
      }
    }
    links.insert(contentsOf: inserted, at: current + 1)
    for index in links.indices.dropFirst(current + 1) {
      let before = links[index - 1]
      links[index].start = before.start + before.frameCount
      links[index].startSeconds =
        before.startSeconds + Double(before.frameCount) / Double(before.rate)
    }
  }

  private func enter(_ index: Int) throws(DecodeError) {
    stream = try VorbisStream(source, link: links[index].ogg)
    current = index
  }

  func seek(to frame: Int64) throws(DecodeError) {
    let target = max(frame, 0)
    events = []
    isEnded = target >= frameCount
    guard !isEnded else { return }
    let index = links.lastIndex { $0.start <= target } ?? 0
    do throws(DecodeError) {
      if index != current { try enter(index) }
      try stream.seek(to: target - links[index].start)
    } catch {
      isEnded = true
      throw error.asEnd
    }
    if stream.format != format {
      format = stream.format
      events.append(.formatChanged(format))
    }
    events.append(.metadataChanged(stream.metadata()))
    if links.count == 1 { events = [] }
  }

  func seconds(atFrame frame: Int64) -> Double {
    let link = links.last { $0.start <= frame } ?? links[0]
    return link.startSeconds + Double(frame - link.start) / Double(link.rate)
  }

  func frame(atSeconds seconds: Double) -> Int64 {
    let link = links.last { $0.startSeconds <= seconds } ?? links[0]
    return clampedFrame(Double(link.start) + (seconds - link.startSeconds) * Double(link.rate))
  }
}

extension DecodeError {
  /// The same, for a part that can be left out.
  fileprivate var asNotice: DecodeError { DecodeError(.skipPacket, at: location, reason) }
  /// The same, after which nothing more comes.
  fileprivate var asEnd: DecodeError { DecodeError(.endTrack, at: location, reason) }
}

/// libvorbisfile over one link.
private final class VorbisStream {
  /// What one read gave.
  enum Result {
    case frames(UnsafePointer<UnsafeMutablePointer<Float>?>, count: Int, position: Int64)
    case hole(position: Int64)
    case end
  }

  /// Frames per read, at most. A long Vorbis block gives 4096 at its most.
  private static let framesPerRead: Int32 = 4096
  /// Granule positions are numbers that anybody may write. This many frames are months, and a
  /// million links of them can still be added up.
  private static let maximumFrames: Int64 = 1 << 40
  /// Seeks of the file that opening, and that a seek to a frame, may take; in a sound link it is
  /// a dozen. libvorbisfile looks for links within its part by calling itself, once per link, and
  /// must not run out of stack.
  private static let maximumSeeks = 1000

  private let source: any ByteSource
  private let link: OggLink
  private let reader: GuardedOggReader
  /// On the heap: libvorbisfile keeps addresses within it.
  private let file: UnsafeMutablePointer<OggVorbis_File>
  let format: StreamFormat
  /// For each channel in ALSA's order, its index in Vorbis' order.
  let order: [Int]
  let frameCount: Int64
  let nominalBitRate: Int
  /// libvorbisfile cannot be asked to seek.
  private let seeksByDecoding: Bool

  init(_ source: any ByteSource, link: OggLink) throws(DecodeError) {
    let start = link.range.lowerBound
    guard link.codec == .vorbis else {
      throw DecodeError(.refuseFile, at: .byte(start), "Ogg with \(link.codec.name), not Vorbis")
    }
    self.source = source
    self.link = link
    reader = GuardedOggReader(source, range: link.range)
    let file = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    file.initialize(to: OggVorbis_File())
    let callbacks = ov_callbacks(
      read_func: vorbisRead, seek_func: vorbisSeek, close_func: nil, tell_func: vorbisTell)
    reader.seeksLeft = Self.maximumSeeks
    let status = ov_open_callbacks(
      Unmanaged.passUnretained(reader).toOpaque(), file, nil, 0, callbacks)
    guard status == 0, let info = ov_info(file, 0) else {
      // After a failed open, libvorbisfile has cleared the file itself.
      file.deallocate()
      throw reader.failure.map { DecodeError(.refuseFile, at: $0.location, $0.reason) }
        ?? DecodeError(.refuseFile, at: .byte(start), "no Vorbis headers (\(words(status)))")
    }
    self.file = file
    let channels = Int(info.pointee.channels)
    let rate = Int(info.pointee.rate)
    let layout = ChannelLayout.vorbis(channels: max(1, min(channels, 8)))
    format = StreamFormat(
      sampleRate: max(rate, 1), layout: layout.alsaOrdered, encoding: .float)
    order = layout.alsaOrdered.permutation(from: layout)
    frameCount = max(0, min(ov_pcm_total(file, 0), Self.maximumFrames))
    nominalBitRate = info.pointee.bitrate_nominal
    seeksByDecoding = Self.searchesForEver(file, source, link)
    // The tags are read by our own reader, which bounds them; the library's copy may be 30 MB.
    if let comments = ov_comment(file, 0) { vorbis_comment_clear(comments) }
    guard channels <= 8, rate > 0 else {
      throw DecodeError(
        .refuseFile, at: .byte(start), "\(channels) channels at \(rate) Hz cannot be played")
    }
  }

  deinit {
    ov_clear(file)
    file.deallocate()
  }

  /// Where the link ends in the file.
  var end: Int64 { link.range.lowerBound + reader.count }
  /// Number of the next frame, in the link.
  var position: Int64 { max(0, min(ov_pcm_tell(file), Self.maximumFrames)) }

  func read() throws(DecodeError) -> Result {
    var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    var section: Int32 = 0
    let count = ov_read_float(file, &planes, Self.framesPerRead, &section)
    // What libvorbisfile takes for another link has other channels, and is not counted here.
    if count > 0, section != 0 { return .end }
    if count > 0, let planes {
      return .frames(
        UnsafePointer(planes), count: count, position: max(0, position - Int64(count)))
    }
    if let failure = reader.failure { throw failure }
    switch Int32(count) {
    case 0: return .end
    case OV_HOLE: return .hole(position: position)
    default:
      throw DecodeError(.endTrack, at: .frame(position), "cannot go on (\(words(Int32(count))))")
    }
  }

  func seek(to frame: Int64) throws(DecodeError) {
    reader.seeksLeft = Self.maximumSeeks
    let status =
      seeksByDecoding
      ? ov_raw_seek(file, file.pointee.dataoffsets[0]) : ov_pcm_seek(file, frame)
    guard status == 0 else {
      throw reader.failure
        ?? DecodeError(.endTrack, at: .frame(frame), "cannot be sought (\(words(status)))")
    }
    guard seeksByDecoding else { return }
    while position < frame {
      let wanted = Int32(min(frame - position, Int64(Self.framesPerRead)))
      var section: Int32 = 0
      let count = ov_read_float(file, nil, wanted, &section)
      // What ends here ends for the next `read()`, too.
      guard count > 0 || count == Int(OV_HOLE) else { return }
    }
  }

  /// A page says at which frame its last packet ends. Where the page that a seek comes to has no
  /// such packet, `ov_pcm_seek_page` goes back for the packet's beginning, and when there is
  /// none on the first page either, it never returns (libvorbis 1.3.7).
  private static func searchesForEver(
    _ file: UnsafeMutablePointer<OggVorbis_File>, _ source: any ByteSource, _ link: OggLink
  ) -> Bool {
    let start = link.range.lowerBound + max(0, file.pointee.dataoffsets[0])
    let pages = OggPageReader(source, range: start..<max(start, link.range.upperBound))
    while let page = try? pages.next() {
      guard Int(page.serial) == file.pointee.serialnos[0] else { continue }
      let endsPacket = pages.lacing.contains { $0 < 255 }
      return page.continuesPacket || (page.granulePosition != -1 && !endsPacket)
    }
    return false
  }

  func metadata() -> AudioMetadata {
    (try? OggVorbisHeader(source, link: link).metadata) ?? AudioMetadata()
  }
}

extension OggLink.Codec {
  /// For messages.
  var name: String {
    switch self {
    case .vorbis: "Vorbis"
    case .flac: "FLAC"
    case .other(let name): name
    }
  }
}

private func words(_ status: Int32) -> String {
  switch status {
  case OV_EREAD: "a read failed"
  case OV_ENOTVORBIS: "not Vorbis data"
  case OV_EVERSION: "an unknown version of Vorbis"
  case OV_EBADHEADER: "a header is damaged"
  case OV_EFAULT: "the stream contradicts itself"
  case OV_EBADLINK: "a link is damaged"
  default: "libvorbisfile says \(status)"
  }
}

// MARK: - Callbacks

private func reader(_ context: UnsafeMutableRawPointer?) -> GuardedOggReader {
  Unmanaged<GuardedOggReader>.fromOpaque(context!).takeUnretainedValue()
}

private func vorbisRead(
  buffer: UnsafeMutableRawPointer?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  // libvorbisfile tells an error from the end by errno.
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
  let reader = reader(context)
  let base: Int64 = whence == SEEK_END ? reader.count : whence == SEEK_CUR ? reader.position : 0
  let (target, overflow) = base.addingReportingOverflow(offset)
  guard !overflow, target >= 0, reader.seeksLeft > 0 else { return -1 }
  reader.seeksLeft -= 1
  reader.seek(to: target)
  return 0
}

private func vorbisTell(context: UnsafeMutableRawPointer?) -> Int {
  Int(reader(context).position)
}
