internal import CVorbisFile
internal import Glibc

/// Checks each Ogg page before libvorbisfile reads it. Ends a link where the next link begins, even if ``OggLinks`` has
/// not found the next link. So libvorbisfile never reads the headers of a second link, whose tables would need more
/// memory.
struct OggGuard: ~Copyable {
  private var sync = ogg_sync_state()
  /// Position of the first byte that libogg has not examined.
  private var offset: Int64 = 0
  /// Number of bytes that were examined so far; see ``OggPageReader/cost``.
  private(set) var cost: Int64 = 0
  /// Number of bytes that were read of the last packet of stream `serial`, if this packet continues on the next page.
  private(set) var openPacketBytes = 0
  private let serial: Int32?

  /// - Parameter serial: the stream whose packets are measured.
  init(serial: Int32? = nil) {
    self.serial = serial
    ogg_sync_init(&sync)
  }

  deinit {
    var sync = sync
    ogg_sync_clear(&sync)
  }

  /// Drops all bytes; the next bytes come from `position`.
  mutating func reset(to position: Int64) {
    ogg_sync_reset(&sync)
    offset = position
    openPacketBytes = 0
  }

  /// Checks the bytes that follow the bytes of the last call.
  /// - Returns: the offset at which the next link begins; nil if no next link was found.
  mutating func check(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count > 0, let buffer = ogg_sync_buffer(&sync, bytes.count) else { return nil }
    UnsafeMutableRawPointer(buffer).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    ogg_sync_wrote(&sync, bytes.count)
    var page = ogg_page()
    while true {
      let claimed = sync.claimedPageBytes
      let result = ogg_sync_pageseek(&sync, &page)
      if result == 0 { return nil }
      cost += Int64(result < 0 ? max(-result, claimed) : result)
      // The page at 0 is the first page of this link, not of the next link.
      if result > 0, ogg_page_bos(&page) != 0, offset > 0 { return offset }
      offset += Int64(abs(result))
      if result > 0, let serial, ogg_page_serialno(&page) == serial { measurePackets(page) }
    }
  }

  /// Updates ``openPacketBytes``. A packet ends with a lacing value below 255 (RFC 3533, section 6).
  private mutating func measurePackets(_ page: ogg_page) {
    for index in 27..<page.header_len {
      let value = Int(page.header[index])
      openPacketBytes = value < 255 ? 0 : openPacketBytes + value
    }
  }
}

/// The bytes of one link for the callbacks of libvorbisfile and libopusfile: first the generated headers, then the
/// pages with sound, which ``OggGuard`` checks. Positions are counted from the start of the headers.
final class GuardedOggReader {
  /// The limit for the bytes of undecoded packets that libogg holds. During a seek libogg holds these bytes twice. The
  /// limit is large enough for real packets: the samples of the largest block take 128 KB, and the packet of a block is
  /// normally smaller than the samples of the block.
  static let maximumHeldBytes = 1 << 20

  /// The largest number of file seeks to open a link, or to go to a frame. For a valid link, the library needs about a
  /// dozen seeks.
  private static let maximumSeeks = 1000

  private let headers: [UInt8]
  private let reader: SequentialReader
  private var pageGuard: OggGuard
  private(set) var position: Int64 = 0
  /// The position at which the stream ends. It becomes smaller if the next link begins earlier than expected.
  private(set) var count: Int64
  /// The state of libogg in libvorbisfile, with the bytes of undecoded packets. Nil for libopusfile.
  var packets: UnsafePointer<ogg_stream_state>?
  /// Number of seeks that the library is still permitted to make.
  private var seeksLeft = 0
  /// Number of bytes that may still be examined before reading stops. The limit is needed because libvorbisfile returns
  /// only if it has sound or if reading ends. To continue, the decoder sets a new allowance.
  var allowance = Int64.max
  /// Number of bytes that were examined since the last sound.
  private var spent = DecodingCost()
  /// The reason why reading stopped permanently; nil if it has not stopped.
  private(set) var failure: DecodeError?

  /// - Parameters:
  ///   - headers: the generated headers. They are returned before the bytes of the range.
  ///   - serial: the stream whose packets are measured, if ``packets`` is not set.
  init(
    _ source: any ByteSource, headers: [UInt8] = [], range: Range<Int64>, serial: Int32? = nil
  ) {
    self.headers = headers
    pageGuard = OggGuard(serial: serial)
    reader = SequentialReader(source, range: range)
    count = Int64(headers.count) + reader.count
  }

  /// Must be called before the library opens the link or seeks to a frame.
  func permitSearch() {
    seeksLeft = Self.maximumSeeks
    allowance = DecodingCost.perSearch.bytes
    spent = DecodingCost()
  }

  /// Call this when the library has returned sound.
  func foundSound() { spent = DecodingCost() }

  /// Call this when the library has returned no sound, to find out whether this reader is the reason.
  /// - Returns: a notice if the allowance was used up and the search can continue; nil if this reader is not the
  ///   reason.
  func checkInterruption(at frame: Int64) throws(DecodeError) -> DecodeError? {
    if let failure { throw failure }
    guard allowance <= 0 else { return nil }
    spent += DecodingCost(bytes: DecodingCost.perCall.bytes)
    guard !spent.exceeds(.perSearch) else {
      throw DecodeError(
        .endTrack, at: .frame(frame),
        "no sound in the next \(spent.bytes >> 20) MB; the search stops")
    }
    return DecodeError(
      .skipPacket, at: .frame(frame), "no sound found after the damage so far")
  }

  /// The callback for seeks.
  /// - Returns: 0, or -1 if the offset is invalid or the library has made too many seeks.
  func seek(by offset: Int64, whence: Int32) -> Int32 {
    let base: Int64 = whence == SEEK_END ? count : whence == SEEK_CUR ? position : 0
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0, seeksLeft > 0 else { return -1 }
    seeksLeft -= 1
    seek(to: target)
    return 0
  }

  /// The offset in the source at which the stream ends.
  var end: Int64 { offset(of: count) }

  private func offset(of position: Int64) -> Int64 {
    reader.range.lowerBound + max(0, position - Int64(headers.count))
  }

  /// When libvorbisfile seeks, it drops its unread bytes. So the guard drops its bytes too. Otherwise libvorbisfile and
  /// the guard could find different pages in the same bytes.
  func seek(to position: Int64) {
    self.position = position
    reader.seek(to: max(0, position - Int64(headers.count)))
    pageGuard.reset(to: position)
  }

  /// See ``SequentialReader/read(into:count:)``. Also returns nil if libogg holds too many bytes, or if the allowance
  /// is used up.
  func read(into destination: UnsafeMutableRawPointer, count wanted: Int) -> Int? {
    guard failure == nil, allowance > 0 else { return nil }
    let start = position
    guard start < count else { return 0 }
    guard let read = copy(into: destination, count: Int(min(Int64(wanted), count - start))) else {
      failure = failure ?? reader.failure.map { DecodeError($0, .endTrack) }
      return nil
    }
    position += Int64(read)
    let before = pageGuard.cost
    let next = pageGuard.check(UnsafeRawBufferPointer(start: destination, count: read))
    allowance -= max(Int64(read), pageGuard.cost - before)
    guard let next else { return read }
    // An earlier call can have returned some bytes of the next link's first page. They are not a complete page, so
    // libogg does not use them.
    count = next
    return max(0, min(read, Int(count - start)))
  }

  private func copy(into destination: UnsafeMutableRawPointer, count wanted: Int) -> Int? {
    guard position >= headers.count else {
      let taken = min(wanted, headers.count - Int(position))
      headers.withUnsafeBytes {
        destination.copyMemory(from: $0.baseAddress! + Int(position), byteCount: taken)
      }
      return taken
    }
    guard packets.map({ $0.pointee.body_fill <= Self.maximumHeldBytes }) ?? true,
      pageGuard.openPacketBytes <= Self.maximumHeldBytes
    else {
      failure = DecodeError(
        .endTrack, at: .byte(offset(of: position)),
        "a packet is larger than \(Self.maximumHeldBytes >> 20) MB", kind: .tooLarge)
      return nil
    }
    return reader.read(into: destination, count: wanted)
  }
}
