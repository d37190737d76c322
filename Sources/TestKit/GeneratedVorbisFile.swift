internal import CVorbisFile

extension GeneratedVorbisSetup {
  /// An Ogg Vorbis file with this header, and some packets of ``sound``.
  /// - Parameters:
  ///   - comments: the packet of tags.
  ///   - trailer: bytes that follow the last bit of the set-up header in the same packet.
  ///   - padding: the number of zero bytes after the sound in the last packet.
  public func file(
    serial: Int32 = 1, comments: [UInt8] = GeneratedVorbisSetup.comments(),
    behindSetup trailer: [UInt8] = [], padding: Int = 0
  ) -> [UInt8] {
    let frames = 4096
    let pages = GeneratedPages(serial: serial)
    pages.add(identification)
    pages.flush()
    pages.add(comments)
    pages.add(packet + trailer)
    pages.flush()
    // The first packet gives no frames, because each frame needs two blocks that overlap.
    for index in 0..<2 { pages.add(sound, granule: frames * index) }
    let last = sound + Array(repeating: 0, count: padding)
    pages.add(last, granule: frames * 2, isLast: true)
    pages.flush()
    return pages.bytes
  }

  /// The identification header (section 4.2.2): 44.1 kHz, blocks of 8192.
  private var identification: [UInt8] {
    [1] + Array("vorbis".utf8) + [0, 0, 0, 0, UInt8(channels), 0x44, 0xAC, 0, 0]
      + Array(repeating: 0, count: 12) + [0xDD, 1]
  }

  /// A packet of tags. The parameter `empty` is the number of tags without content. If `long` is
  /// not empty, the packet also contains the tag `long`.
  public static func comments(empty: Int = 0, long: [UInt8] = []) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let count = empty + (long.isEmpty ? 0 : 1)
    return [3] + Array("vorbis".utf8) + number(0) + number(count)
      + Array(repeating: 0, count: 4 * empty) + (long.isEmpty ? [] : number(long.count) + long) + [
        1
      ]
  }
}

/// The pages of one stream. libogg makes them.
private final class GeneratedPages {
  private(set) var bytes: [UInt8] = []
  private var stream = ogg_stream_state()
  private var count = 0

  init(serial: Int32) { ogg_stream_init(&stream, serial) }

  deinit { ogg_stream_clear(&stream) }

  func add(_ packet: [UInt8], granule: Int = 0, isLast: Bool = false) {
    packet.withUnsafeBufferPointer { buffer in
      var packet = ogg_packet()
      packet.packet = UnsafeMutablePointer(mutating: buffer.baseAddress)
      packet.bytes = buffer.count
      packet.b_o_s = count == 0 ? 1 : 0
      packet.e_o_s = isLast ? 1 : 0
      packet.granulepos = Int64(granule)
      ogg_stream_packetin(&stream, &packet)
    }
    count += 1
  }

  /// Ends the page.
  func flush() {
    var page = ogg_page()
    while ogg_stream_flush(&stream, &page) != 0 {
      bytes += UnsafeBufferPointer(start: page.header, count: page.header_len)
      bytes += UnsafeBufferPointer(start: page.body, count: page.body_len)
    }
  }
}
