internal import CVorbisFile

/// Looks at every Ogg page just before libvorbisfile gets it, and stops what would cost memory out
/// of proportion: the library collects a packet until it ends, however long it is, and builds
/// tables as large as a set-up header asks for.
///
/// It also ends a link where the next begins, even where the index of links did not know.
struct OggGuard: ~Copyable {
  /// The set-up header of a file that somebody listens to is a few kilobytes long.
  static let maximumSetupBytes = 1 << 20

  /// What the guard says about the bytes that it saw.
  enum Verdict: Equatable {
    case harmless
    /// The file may not be played on; the reason.
    case harmful(String)
    /// The next link begins here, relative to the first byte after the last reset.
    case linkBegins(Int64)
  }

  /// The packet of one stream that is not yet whole.
  private struct Pending {
    var bytes = 0
    /// What there is of it, if it is a set-up header.
    var setup: [UInt8] = []
  }

  /// How a set-up header begins. Every packet that begins like this is looked at, wherever it
  /// stands: libogg leaves out the rests of packets, so counting would go wrong, and what begins
  /// otherwise libvorbis does not take for one.
  private static let setupStart = [5] + Array("vorbis".utf8)

  private var sync = ogg_sync_state()
  private var streams: [Int32: Pending] = [:]
  /// Bytes since the reset that are before libogg's unread bytes.
  private var offset: Int64 = 0
  private var sawContent = false
  /// What was looked at so far; see ``OggPageReader/cost``.
  private(set) var cost: Int64 = 0

  init() { ogg_sync_init(&sync) }

  deinit {
    var sync = sync
    ogg_sync_clear(&sync)
  }

  /// Forgets all; the next bytes come from another place.
  mutating func reset() {
    ogg_sync_reset(&sync)
    streams = [:]
    offset = 0
    sawContent = false
  }

  /// Checks the bytes that follow those of the last call.
  mutating func check(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    guard bytes.count > 0, let buffer = ogg_sync_buffer(&sync, bytes.count) else {
      return .harmless
    }
    UnsafeMutableRawPointer(buffer).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    ogg_sync_wrote(&sync, bytes.count)
    var page = ogg_page()
    while true {
      let claimed = sync.claimedPageBytes
      let result = ogg_sync_pageseek(&sync, &page)
      if result == 0 { return .harmless }
      cost += Int64(result < 0 ? max(-result, claimed) : result)
      defer { offset += Int64(abs(result)) }
      if result > 0 {
        let verdict = check(&page)
        if verdict != .harmless { return verdict }
      }
    }
  }

  private mutating func check(_ page: inout ogg_page) -> Verdict {
    let serial = ogg_page_serialno(&page)
    if ogg_page_bos(&page) != 0 {
      if sawContent { return .linkBegins(offset) }
    } else {
      sawContent = true
    }
    var pending = streams[serial] ?? Pending()
    // A page that continues nothing begins with a packet.
    if ogg_page_continued(&page) == 0 { pending = Pending() }
    var position = 0
    for segment in 0..<Int(page.header[26]) {
      let length = Int(page.header[27 + segment])
      let part = UnsafeBufferPointer(start: page.body + position, count: length)
      if pending.bytes == 0 ? part.starts(with: Self.setupStart) : !pending.setup.isEmpty {
        pending.setup.append(contentsOf: part)
      }
      pending.bytes += length
      position += length
      if pending.setup.count > Self.maximumSetupBytes {
        return .harmful("a set-up header of over \(Self.maximumSetupBytes >> 20) MB")
      }
      if Int64(pending.bytes) > FLACMetadata.maximumHeaderBytes {
        return .harmful("a packet of over \(FLACMetadata.maximumHeaderBytes >> 20) MB")
      }
      if length < 255 {
        if let problem = VorbisSetup.problem(pending.setup) { return .harmful(problem) }
        pending = Pending()
      }
    }
    streams[serial] = pending
    return streams.count <= 64 ? .harmless : .harmful("over 64 multiplexed streams")
  }
}

/// A sequential Ogg stream behind its guard, for libvorbisfile's read callback.
final class GuardedOggReader {
  private let reader: SequentialReader
  private var guardian = OggGuard()
  /// Where the guard's counting began, relative to the reader's start.
  private var guardStart: Int64 = 0
  /// Where the stream ends, relative to its start; moves when the next link is met early.
  private(set) var count: Int64
  /// How many more seeks its reader may make; who counts, decides what then.
  var seeksLeft = Int.max
  /// What may still be looked at before reading stops: libvorbisfile does not come back by itself
  /// before it has sound. Whoever sets it, may go on.
  var allowance = Int64.max
  /// Why reading stopped for good.
  private(set) var failure: DecodeError?

  init(_ source: any ByteSource, range: Range<Int64>) {
    reader = SequentialReader(source, range: range)
    count = reader.count
  }

  var position: Int64 { reader.position }

  /// Libraries forget what they have read when they seek, so the guard does so too: were the two
  /// to cut the bytes into pages differently, one would see pages that the other does not.
  func seek(to position: Int64) {
    reader.seek(to: position)
    guardian.reset()
    guardStart = position
  }

  /// See ``SequentialReader/read(into:count:)``; nil also where the guard objects, and once the
  /// allowance is used up.
  func read(into destination: UnsafeMutableRawPointer, count wanted: Int) -> Int? {
    guard failure == nil, allowance > 0 else { return nil }
    let start = reader.position
    guard start < count else { return 0 }
    guard let read = reader.read(into: destination, count: Int(min(Int64(wanted), count - start)))
    else {
      failure = reader.failure.map { DecodeError($0, .endTrack) }
      return nil
    }
    let before = guardian.cost
    let verdict = guardian.check(UnsafeRawBufferPointer(start: destination, count: read))
    allowance -= max(Int64(read), guardian.cost - before)
    switch verdict {
    case .harmless:
      return read
    case .harmful(let reason):
      failure = DecodeError(.endTrack, at: .byte(reader.range.lowerBound + start), reason)
      return nil
    case .linkBegins(let offset):
      // What was handed over of that link's first page is too little for a page, so nobody
      // makes anything of it.
      count = guardStart + offset
      return max(0, min(read, Int(count - start)))
    }
  }
}
