import COpusFile
import CVorbisFile

/// Returns true if the granule positions of a stream agree with its packets, and if libvorbis or libopus accepts each
/// packet. Uses libogg directly, and does not use libvorbisfile or libopusfile.
///
/// libvorbisfile and libopusfile calculate the positions after a seek from the granule positions and from the durations
/// that the packets state. If these values contradict the decoded sound, more than one position is correct.
func hasConsistentGranules(_ bytes: [UInt8]) -> Bool {
  var sync = ogg_sync_state()
  ogg_sync_init(&sync)
  defer { ogg_sync_clear(&sync) }
  bytes.withUnsafeBytes {
    ogg_sync_buffer(&sync, $0.count)!.update(
      from: $0.bindMemory(to: CChar.self).baseAddress!, count: $0.count)
  }
  ogg_sync_wrote(&sync, bytes.count)

  var stream = ogg_stream_state()
  var serial: Int32?
  defer { if serial != nil { ogg_stream_clear(&stream) } }
  var codec: (any PacketCodec)?
  var page = ogg_page()
  var frames: Int64 = 0
  var hasPosition = false
  var isEnded = false
  while true {
    switch ogg_sync_pageout(&sync, &page) {
    case 0: return codec != nil && sync.fill == sync.returned
    case 1: break
    default: return false
    }
    if serial == nil {
      serial = ogg_page_serialno(&page)
      ogg_stream_init(&stream, serial!)
    }
    guard serial == ogg_page_serialno(&page), ogg_stream_pagein(&stream, &page) == 0 else {
      return false
    }
    // If no packet ends on a page, libogg drops the position of the page. But libvorbisfile uses it, so refuse the
    // page.
    guard ogg_page_granulepos(&page) == -1 || ogg_page_packets(&page) > 0 else { return false }
    var packet = ogg_packet()
    while true {
      let status = ogg_stream_packetout(&stream, &packet)
      if status == 0 { break }
      guard status == 1, !isEnded else { return false }
      isEnded = packet.e_o_s != 0
      if codec == nil {
        guard let new = makeCodec(packet) else { return false }
        codec = new
      }
      guard let count = codec!.frames(of: &packet) else { return false }
      frames += count
      guard packet.granulepos != -1, codec!.hasHeaders else { continue }
      // The first position can have any value, for example in the recording of a broadcast.
      if !hasPosition, packet.granulepos > frames { frames = packet.granulepos }
      hasPosition = hasPosition || count > 0
      // The position of the last page can be lower than the number of frames, to cut frames off the end.
      let isRight = packet.e_o_s != 0 ? packet.granulepos <= frames : packet.granulepos == frames
      guard isRight else { return false }
    }
  }
}

private protocol PacketCodec: AnyObject {
  /// True if all headers were read.
  var hasHeaders: Bool { get }
  /// The number of frames that become complete with the packet. 0 for a header. Nil if the packet is refused.
  func frames(of packet: inout ogg_packet) -> Int64?
}

private func makeCodec(_ packet: ogg_packet) -> (any PacketCodec)? {
  let start = UnsafeRawBufferPointer(start: packet.packet, count: min(Int(packet.bytes), 8))
  if start.elementsEqual("OpusHead".utf8) { return OpusPackets() }
  return start.dropFirst().starts(with: "vorbis".utf8) ? VorbisPackets() : nil
}

private final class OpusPackets: PacketCodec {
  private var headersLeft = 2
  var hasHeaders: Bool { headersLeft == 0 }

  func frames(of packet: inout ogg_packet) -> Int64? {
    guard headersLeft == 0 else {
      headersLeft -= 1
      return 0
    }
    let count = opus_packet_get_nb_samples(packet.packet, Int32(packet.bytes), 48000)
    return count > 0 ? Int64(count) : nil
  }
}

private final class VorbisPackets: PacketCodec {
  private var info = vorbis_info()
  private var comment = vorbis_comment()
  private var state = vorbis_dsp_state()
  private var block = vorbis_block()
  private var headersLeft = 3
  var hasHeaders: Bool { headersLeft == 0 }
  private var lastSize = 0

  init() {
    vorbis_info_init(&info)
    vorbis_comment_init(&comment)
  }

  deinit {
    if headersLeft == 0 {
      vorbis_block_clear(&block)
      vorbis_dsp_clear(&state)
    }
    vorbis_comment_clear(&comment)
    vorbis_info_clear(&info)
  }

  func frames(of packet: inout ogg_packet) -> Int64? {
    guard headersLeft == 0 else { return readHeader(&packet) ? 0 : nil }
    let size = vorbis_packet_blocksize(&info, &packet)
    guard size > 0, vorbis_synthesis(&block, &packet) == 0 else { return nil }
    defer { lastSize = size }
    // A packet completes the frames between the centre of the previous block and the centre of its own block.
    return lastSize == 0 ? 0 : Int64(lastSize / 4 + size / 4)
  }

  private func readHeader(_ packet: inout ogg_packet) -> Bool {
    guard vorbis_synthesis_headerin(&info, &comment, &packet) == 0 else { return false }
    guard headersLeft == 1 else {
      headersLeft -= 1
      return true
    }
    guard vorbis_synthesis_init(&state, &info) == 0 else { return false }
    vorbis_block_init(&state, &block)
    headersLeft = 0
    return true
  }
}
