// Fuzz target for the sound of a phone: the configuration of a stream, RTP headers, SBC headers, and all frames that
// libsbc decodes. This file is compiled together with Sources/Bluetooth/A2DPStream.
//
// The first four bytes of an input are the configuration. Packets follow: one byte that selects how the packet is
// repaired, two bytes with its length, and its bytes.

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStream(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))[...]
  let first = Array(bytes.prefix(4))
  bytes = bytes.dropFirst(4)
  let given = try? SBCConfiguration(first)
  if let best = SBCConfiguration.best(of: first) { require((try? SBCConfiguration(best)) != nil) }
  guard let configuration = given ?? (try? SBCConfiguration([0x21, 0x15, 2, 53])) else { return 0 }
  check(configuration)
  var frames = 0
  let receiver = try? StreamReceiver(configuration) { samples, count in
    frames += count
    let all = UnsafeBufferPointer(start: samples, count: count * configuration.channels)
    // A fade-out and a fade-in can overlap, so the level can be twice the maximum.
    require(all.allSatisfy { $0.isFinite && abs($0) <= 2 })
  }
  guard let receiver else { return 0 }
  while bytes.count >= 3 {
    let repair = bytes[bytes.startIndex]
    let length = Int(bytes[bytes.startIndex + 1]) << 8 | Int(bytes[bytes.startIndex + 2])
    var packet = Array(bytes.dropFirst(3).prefix(length))
    bytes = bytes.dropFirst(3 + length)
    if repair & 1 != 0 { repairHeader(&packet) }
    if repair & 2 != 0 { repairFrames(&packet, configuration) }
    let before = frames
    receive(packet, receiver)
    // A packet gives at most 15 SBC frames. Up to 16 missing packets before it are replaced.
    require(frames - before <= 17 * 15 * configuration.framesPerSBCFrame)
  }
  return 0
}

private func check(_ configuration: SBCConfiguration) {
  require([44_100, 48_000].contains(configuration.rate))
  require([4, 8, 12, 16].contains(configuration.blocks))
  require([4, 8].contains(configuration.subbands))
  require(configuration.bitpools.lowerBound >= 2 && configuration.bitpools.upperBound <= 53)
}

private func receive(_ packet: [UInt8], _ receiver: StreamReceiver) {
  // The address sanitizer detects a read after the end of this memory.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.count, alignment: 1)
  defer { memory.deallocate() }
  memory.copyBytes(from: packet)
  receiver.receive(UnsafeRawBufferPointer(memory))
}

/// Changes the RTP header so that it has no sources, no extension and no padding. Then the packet contains SBC frames.
private func repairHeader(_ packet: inout [UInt8]) {
  guard packet.count > 13 else { return }
  packet[0] = 0x80
  packet[12] &= 0x0F
}

/// Gives each SBC frame a header that fits the stream, and the right checksum. Then libsbc decodes the other bytes.
private func repairFrames(_ packet: inout [UInt8], _ configuration: SBCConfiguration) {
  guard packet.count > 13 else { return }
  var start = 13
  while start + 4 <= packet.count {
    packet[start] = 0x9C
    packet[start + 1] = configuration.headerFormat
    let bitpools = configuration.bitpools
    packet[start + 2] = UInt8(bitpools.lowerBound + Int(packet[start + 2]) % bitpools.count)
    let header = packet[start...].withUnsafeBytes { SBCFrameHeader($0, configuration) }
    guard let header else { fatalError("a repaired header was refused") }
    let length = header.length(configuration)
    guard start + length <= packet.count else { return }
    packet[start + 3] = checksum(packet[start..<start + length], configuration)
    start += length
  }
}

/// CRC-8 of the header and of the scale factors (A2DP 1.4, 12.6.1.1).
private func checksum(_ frame: ArraySlice<UInt8>, _ configuration: SBCConfiguration) -> UInt8 {
  let joined = configuration.channelMode == .jointStereo ? configuration.subbands : 0
  let scales = 4 * configuration.subbands * configuration.channels
  var crc: UInt8 = 0x0F
  func add(_ byte: UInt8, bits: Int) {
    for bit in 0..<bits {
      let isSet = (crc ^ byte << UInt8(bit)) & 0x80 != 0
      crc = crc << 1 ^ (isSet ? 0x1D : 0)
    }
  }
  let bytes = Array(frame)
  add(bytes[1], bits: 8)
  add(bytes[2], bits: 8)
  var left = joined + scales
  for byte in bytes.dropFirst(4) where left > 0 {
    add(byte, bits: min(8, left))
    left -= min(8, left)
  }
  return crc
}
