internal import CVorbisFile

/// Creates Ogg pages with generated header packets. A library reads these pages instead of the header pages of the
/// file.
enum OggPageWriter {
  /// - Parameters:
  ///   - groups: the packets. Each group begins on a new page.
  ///   - serial: the serial number of the stream.
  static func pages(_ groups: [[[UInt8]]], serial: Int32) -> [UInt8] {
    var result: [UInt8] = []
    var stream = ogg_stream_state()
    ogg_stream_init(&stream, serial)
    defer { ogg_stream_clear(&stream) }
    var page = ogg_page()
    var isFirst = true
    for group in groups {
      for packet in group {
        packet.withUnsafeBufferPointer { bytes in
          var packet = ogg_packet()
          packet.packet = UnsafeMutablePointer(mutating: bytes.baseAddress)
          packet.bytes = bytes.count
          packet.b_o_s = isFirst ? 1 : 0
          ogg_stream_packetin(&stream, &packet)
        }
        isFirst = false
      }
      while ogg_stream_flush(&stream, &page) != 0 {
        result += UnsafeBufferPointer(start: page.header, count: page.header_len)
        result += UnsafeBufferPointer(start: page.body, count: page.body_len)
      }
    }
    return result
  }
}
