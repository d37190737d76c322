internal import CVorbisFile

/// Looks at every Ogg page just before libvorbisfile gets it, and ends a link where the next
/// begins, even where the index of links did not know. So the library never reads the headers of a
/// second link, whose tables would come on top.
struct OggGuard: ~Copyable {
  private var sync = ogg_sync_state()
  /// Where libogg's unread bytes begin.
  private var offset: Int64 = 0
  /// What was looked at so far; see ``OggPageReader/cost``.
  private(set) var cost: Int64 = 0

  init() { ogg_sync_init(&sync) }

  deinit {
    var sync = sync
    ogg_sync_clear(&sync)
  }

  /// Forgets all; the next bytes come from `position`.
  mutating func reset(to position: Int64) {
    ogg_sync_reset(&sync)
    offset = position
  }

  /// Checks the bytes that follow those of the last call.
  /// - Returns: where the next link begins, if it does.
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
      // The link's own first page is at 0.
      if result > 0, ogg_page_bos(&page) != 0, offset > 0 { return offset }
      offset += Int64(abs(result))
    }
  }
}

/// One link behind its guard, for libvorbisfile's callbacks: its headers as they were made for the
/// library, then the pages with sound. Positions are those in the two together.
final class GuardedOggReader {
  /// What libogg may hold of packets that are not decoded yet; a seek holds them twice. The samples
  /// of the largest block take 128 KB, and packets are there to take less.
  static let maximumHeldBytes = 1 << 20

  private let headers: [UInt8]
  private let reader: SequentialReader
  private var guardian = OggGuard()
  private(set) var position: Int64 = 0
  /// Where the stream ends; moves when the next link is met early.
  private(set) var count: Int64
  /// What libogg holds for the library.
  var packets: UnsafePointer<ogg_stream_state>?
  /// How many more seeks its reader may make; who counts, decides what then.
  var seeksLeft = Int.max
  /// What may still be looked at before reading stops: libvorbisfile does not come back by itself
  /// before it has sound. Whoever sets it, may go on.
  var allowance = Int64.max
  /// Why reading stopped for good.
  private(set) var failure: DecodeError?

  init(_ source: any ByteSource, headers: [UInt8] = [], range: Range<Int64>) {
    self.headers = headers
    reader = SequentialReader(source, range: range)
    count = Int64(headers.count) + reader.count
  }

  /// Where the stream ends in the source.
  var end: Int64 { place(of: count) }

  private func place(of position: Int64) -> Int64 {
    reader.range.lowerBound + max(0, position - Int64(headers.count))
  }

  /// Libraries forget what they have read when they seek, so the guard does so too: were the two
  /// to cut the bytes into pages differently, one would see pages that the other does not.
  func seek(to position: Int64) {
    self.position = position
    reader.seek(to: max(0, position - Int64(headers.count)))
    guardian.reset(to: position)
  }

  /// See ``SequentialReader/read(into:count:)``; nil also where the library would hold too much,
  /// and once the allowance is used up.
  func read(into destination: UnsafeMutableRawPointer, count wanted: Int) -> Int? {
    guard failure == nil, allowance > 0 else { return nil }
    let start = position
    guard start < count else { return 0 }
    guard let read = copy(into: destination, count: Int(min(Int64(wanted), count - start))) else {
      failure = failure ?? reader.failure.map { DecodeError($0, .endTrack) }
      return nil
    }
    position += Int64(read)
    let before = guardian.cost
    let next = guardian.check(UnsafeRawBufferPointer(start: destination, count: read))
    allowance -= max(Int64(read), guardian.cost - before)
    guard let next else { return read }
    // The bytes of that link's first page that were handed over are fewer than a page, so
    // libogg finds no page in them.
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
    guard packets.map({ $0.pointee.body_fill <= Self.maximumHeldBytes }) ?? true else {
      failure = DecodeError(
        .endTrack, at: .byte(place(of: position)),
        "a packet of over \(Self.maximumHeldBytes >> 20) MB")
      return nil
    }
    return reader.read(into: destination, count: wanted)
  }
}
