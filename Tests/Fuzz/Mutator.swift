// FLAC and Ogg protect their data with checksums. If libFuzzer changes bytes at random, a checksum is wrong, so almost
// every input would be rejected early. This mutator changes pages, packets and FLAC frames, and then corrects most
// checksums.

@_silgen_name("LLVMFuzzerMutate")
private func defaultMutation(_ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ limit: Int)
  -> Int

/// libFuzzer calls this for each new input. Changes the `size` bytes of `data`. The result has at most `limit` bytes.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  var random = FuzzRandom(seed: UInt64(seed) + 1)
  var bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  let pages = OggPages(bytes)
  let frames = flacFrames(bytes)
  switch random.below(10) {
  case 0...2 where !pages.pages.isEmpty:
    bytes = mutatePages(pages, in: bytes, &random)
  case 3...4 where !pages.pages.isEmpty:
    bytes = mutatePacket(pages, in: bytes, &random)
  case 0...2 where frames.count > 1:
    bytes = mutateFrames(frames, in: bytes, &random)
  case 3 where frames.count > 1:
    bytes = mutateStreamInfo(in: bytes, &random)
  case 5...7:
    bytes = mutateStructure(bytes, &random) ?? mutateBytes(bytes, limit: limit)
  default:
    bytes = mutateBytes(bytes, limit: limit)
  }
  // In one input of eight, the checksums stay wrong, because error paths need tests too.
  if random.below(8) != 0 { repairChecksums(&bytes) }
  if bytes.count > limit { bytes.removeLast(bytes.count - limit) }
  for index in bytes.indices { data[index] = bytes[index] }
  return bytes.count
}

/// libFuzzer's own mutation, which uses the dictionary and the operands of comparisons.
private func mutateBytes(_ bytes: [UInt8], limit: Int) -> [UInt8] {
  let limit = max(limit, bytes.count, 1)
  return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
    for index in bytes.indices { buffer[index] = bytes[index] }
    count = defaultMutation(buffer.baseAddress, bytes.count, limit)
  }
}

/// A number that often causes arithmetic errors.
func oddNumber(_ random: inout FuzzRandom) -> UInt64 {
  let shift = UInt64(random.below(64))
  switch random.below(6) {
  case 0: return 0
  case 1: return .max
  case 2: return 1 << shift
  case 3: return (1 << shift) &- 1
  case 4: return UInt64(random.below(100_000))
  default: return random.next() >> shift
  }
}

// MARK: Ogg

/// The pages of a file. Pages with wrong checksums are included.
private struct OggPages {
  private(set) var pages: [Range<Int>] = []

  init(_ bytes: [UInt8]) {
    var index = 0
    while index + 27 <= bytes.count {
      if bytes[index] == 0x4F, bytes[index + 1] == 0x67, bytes[index + 2] == 0x67,
        bytes[index + 3] == 0x53, bytes[index + 4] == 0
      {
        let header = index + 27 + Int(bytes[index + 26])
        if header <= bytes.count {
          let body = bytes[(index + 27)..<header].reduce(0) { $0 + Int($1) }
          if header + body <= bytes.count {
            pages.append(index..<header + body)
            index = header + body
            continue
          }
        }
      }
      index += 1
    }
  }
}

private func mutatePages(_ pages: OggPages, in bytes: [UInt8], _ random: inout FuzzRandom)
  -> [UInt8]
{
  var bytes = bytes
  let page = pages.pages[random.below(pages.pages.count)]
  let other = pages.pages[random.below(pages.pages.count)]
  let start = page.lowerBound
  func put(_ value: UInt64, at offset: Int, _ count: Int) {
    for index in 0..<count {
      bytes[start + offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }
  switch random.below(10) {
  case 0: bytes[start + 5] ^= 1 << UInt8(random.below(3))
  case 1, 2: put(oddNumber(&random), at: 6, 8)
  case 3: for index in 6..<14 { bytes[start + index] = bytes[other.lowerBound + index] }
  case 4: put(UInt64(random.below(3)), at: 14, 4)
  case 5: for index in 14..<18 { bytes[start + index] = bytes[other.lowerBound + index] }
  case 6: put(UInt64(random.below(8)), at: 18, 4)
  case 7: bytes.removeSubrange(page)
  case 8: bytes.insert(contentsOf: Array(bytes[page]), at: other.lowerBound)
  default:
    // Appends the rest of the file again, as another link. Most of the new pages get the same random serial number.
    var link = Array(bytes[page.lowerBound...])
    let serial = UInt8(random.below(3))
    for copied in OggPages(link).pages where random.below(8) != 0 {
      link[copied.lowerBound + 14] = serial
    }
    bytes += link
  }
  return bytes
}

/// Changes one packet of one page, and updates the segment table of the page.
private func mutatePacket(_ pages: OggPages, in bytes: [UInt8], _ random: inout FuzzRandom)
  -> [UInt8]
{
  let page = pages.pages[random.below(pages.pages.count)]
  let segments = Int(bytes[page.lowerBound + 26])
  guard segments > 0 else { return mutateBytes(bytes, limit: bytes.count) }
  let table = Array(bytes[(page.lowerBound + 27)..<(page.lowerBound + 27 + segments)])
  // Each packet, or part of a packet, as a range of segments.
  var packets: [Range<Int>] = []
  for (index, length) in table.enumerated() where length < 255 || index == segments - 1 {
    packets.append((packets.last?.upperBound ?? 0)..<index + 1)
  }
  let packet = packets[random.below(packets.count)]
  let body = page.lowerBound + 27 + segments
  let from = body + table[..<packet.lowerBound].reduce(0) { $0 + Int($1) }
  let length = table[packet].reduce(0) { $0 + Int($1) }

  let changed = mutateBytes(Array(bytes[from..<from + length]), limit: length + 64)
  var lacing = Array(repeating: UInt8(255), count: changed.count / 255)
  let isCut = table[packet.upperBound - 1] == 255
  if !isCut { lacing.append(UInt8(changed.count % 255)) }
  guard segments - packet.count + lacing.count <= 255, !isCut || changed.count % 255 == 0 else {
    return bytes
  }
  var result = bytes
  result.replaceSubrange(from..<from + length, with: changed)
  let offset = page.lowerBound + 27
  result.replaceSubrange(offset + packet.lowerBound..<offset + packet.upperBound, with: lacing)
  result[page.lowerBound + 26] = UInt8(segments - packet.count + lacing.count)
  return result
}

// MARK: FLAC

/// The length of the FLAC frame header at `index` without its CRC-8. Nil if no header can start there. Checks the same
/// fields as `FLACFrameHeader`, but not the checksum.
private func flacHeaderLength(_ bytes: [UInt8], _ index: Int) -> Int? {
  guard index + 6 <= bytes.count, bytes[index] == 0xFF, bytes[index + 1] & 0xFE == 0xF8 else {
    return nil
  }
  let blockSize = bytes[index + 2] >> 4
  let rate = bytes[index + 2] & 15
  guard blockSize != 0, rate != 15, bytes[index + 3] >> 4 < 11, bytes[index + 3] & 1 == 0 else {
    return nil
  }
  let ones = (~bytes[index + 4]).leadingZeroBitCount
  guard ones != 1, ones < 8 else { return nil }
  var length = 4 + max(ones, 1)
  if blockSize == 6 { length += 1 } else if blockSize == 7 { length += 2 }
  if rate == 12 { length += 1 } else if rate > 12 { length += 2 }
  return index + length < bytes.count ? length : nil
}

/// The offsets at which FLAC frames start.
private func flacFrames(_ bytes: [UInt8]) -> [Int] {
  bytes.indices.filter { bytes[$0] == 0xFF && flacHeaderLength(bytes, $0) != nil }
}

private func mutateFrames(_ frames: [Int], in bytes: [UInt8], _ random: inout FuzzRandom)
  -> [UInt8]
{
  var bytes = bytes
  let index = random.below(frames.count)
  let start = frames[index]
  let end = index + 1 < frames.count ? frames[index + 1] : bytes.count
  switch random.below(6) {
  case 0: bytes.removeSubrange(start..<end)
  case 1:
    let offset = frames[random.below(frames.count)]
    bytes.insert(contentsOf: Array(bytes[start..<end]), at: offset)
  case 2: bytes[start + 1 + random.below(4)] ^= 1 << UInt8(random.below(8))
  case 3:
    // Replaces the number of the FLAC frame by another number of 36 bits, coded in seven bytes.
    let ones = max((~bytes[start + 4]).leadingZeroBitCount, 1)
    guard start + 4 + ones <= bytes.count else { break }
    var number = oddNumber(&random)
    var coded: [UInt8] = []
    for _ in 0..<6 {
      coded.insert(0x80 | UInt8(number & 63), at: 0)
      number >>= 6
    }
    bytes.replaceSubrange(start + 4..<start + 4 + ones, with: [0xFE] + coded)
  default:
    let changed = mutateBytes(Array(bytes[start..<end]), limit: end - start + 64)
    bytes.replaceSubrange(start..<end, with: changed)
  }
  return bytes
}

/// Changes STREAMINFO, because a random mutation rarely changes this block. Only its first 18 bytes are changed: the
/// bytes before the MD5. The block has no checksum.
private func mutateStreamInfo(in bytes: [UInt8], _ random: inout FuzzRandom) -> [UInt8] {
  var bytes = bytes
  guard bytes.count > 42, bytes.starts(with: "fLaC".utf8) else { return bytes }
  let number = oddNumber(&random)
  switch random.below(5) {
  case 0: bytes[8 + random.below(4)] = UInt8(truncatingIfNeeded: number)
  case 1: bytes[18 + random.below(3)] = UInt8(truncatingIfNeeded: number)
  case 2: for index in 21..<26 { bytes[index] = index == 21 ? bytes[index] & 0xF0 : 0 }
  default:
    bytes[21] = bytes[21] & 0xF0 | UInt8(number >> 32 & 15)
    for index in 0..<4 {
      bytes[22 + index] = UInt8(truncatingIfNeeded: number >> UInt64(24 - 8 * index))
    }
  }
  return bytes
}

// MARK: Checksums

private func repairChecksums(_ bytes: inout [UInt8]) {
  let pages = OggPages(bytes).pages
  for page in pages {
    let segments = Int(bytes[page.lowerBound + 26])
    var from = page.lowerBound + 27 + segments
    var to = from
    for index in 0..<segments {
      let length = bytes[page.lowerBound + 27 + index]
      to += Int(length)
      if length < 255 {
        repairFrame(&bytes, from..<to)
        from = to
      }
    }
    for index in 0..<4 { bytes[page.lowerBound + 22 + index] = 0 }
    let crc = oggCRC(bytes[page])
    for index in 0..<4 {
      bytes[page.lowerBound + 22 + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index))
    }
  }
  guard pages.isEmpty else { return }
  // In native FLAC, a FLAC frame ends where the next FLAC frame starts. The last FLAC frame ends at the end of the
  // file.
  let frames = flacFrames(bytes)
  for (index, start) in frames.enumerated() {
    repairFrame(&bytes, start..<(index + 1 < frames.count ? frames[index + 1] : bytes.count))
  }
}

private func repairFrame(_ bytes: inout [UInt8], _ frame: Range<Int>) {
  guard let length = flacHeaderLength(bytes, frame.lowerBound), frame.count > length + 3 else {
    return
  }
  let header = frame.lowerBound..<frame.lowerBound + length
  bytes[header.upperBound] = flacCRC8(bytes[header])
  let crc = flacCRC16(bytes[frame.lowerBound..<frame.upperBound - 2])
  bytes[frame.upperBound - 2] = UInt8(crc >> 8)
  bytes[frame.upperBound - 1] = UInt8(crc & 0xFF)
}

/// RFC 3533, section 6: polynomial 0x04C11DB7, no reflection, initial value 0.
private let oggTable: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte) << 24) { crc, _ in crc << 1 ^ (crc >> 31) &* 0x04C1_1DB7 }
}

/// RFC 9639, section 9.3: x¹⁶ + x¹⁵ + x² + 1.
private let flacTable: [UInt16] = (0..<256).map { byte in
  (0..<8).reduce(UInt16(byte) << 8) { crc, _ in crc << 1 ^ (crc >> 15) &* 0x8005 }
}

private func oggCRC(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  bytes.reduce(0) { $0 << 8 ^ oggTable[Int($0 >> 24) ^ Int($1)] }
}

private func flacCRC16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
  bytes.reduce(0) { $0 << 8 ^ flacTable[Int($0 >> 8) ^ Int($1)] }
}

private func flacCRC8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
  bytes.reduce(0) { crc, byte in
    (0..<8).reduce(crc ^ byte) { value, _ in value << 1 ^ (value >> 7) &* 0x07 }
  }
}
