// Mutations of structures without checksums: ID3 tags, the headers Xing, Info and VBRI that MPEG encoders write, and
// the chunks of WAV and AIFF. These structures contain sizes and counts. If libFuzzer changes bytes at random, a size
// or count rarely fits the rest of its structure. The mutations in this file know the structures.

/// Applies one mutation to one of the structures in `bytes`. Nil if `bytes` contains none of these structures.
func mutateStructure(_ bytes: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
  var structures: [(at: Int, mutate: ([UInt8], Int, inout FuzzRandom) -> [UInt8])] = []
  for index in bytes.indices where index + 12 <= bytes.count {
    switch bytes[index] {
    case UInt8(ascii: "I") where has("ID3", bytes, index): structures.append((index, mutateID3))
    case UInt8(ascii: "I") where has("Info", bytes, index): structures.append((index, mutateInfo))
    case UInt8(ascii: "X") where has("Xing", bytes, index): structures.append((index, mutateInfo))
    case UInt8(ascii: "V") where has("VBRI", bytes, index): structures.append((index, mutateInfo))
    case UInt8(ascii: "R") where has("RIFF", bytes, index) || has("RF64", bytes, index):
      structures.append((index, mutateChunks))
    case UInt8(ascii: "F") where has("FORM", bytes, index): structures.append((index, mutateChunks))
    default: break
    }
  }
  guard !structures.isEmpty else { return nil }
  let chosen = structures[random.below(structures.count)]
  return chosen.mutate(bytes, chosen.at, &random)
}

private func has(_ name: String, _ bytes: [UInt8], _ index: Int) -> Bool {
  bytes[index...].starts(with: name.utf8)
}

/// Writes a number into `count` bytes, with `bits` bits in each byte and the highest bits first. Ignores bytes after
/// the end of the file.
private func put(
  _ value: UInt64, _ count: Int, at offset: Int, bits: UInt64 = 8, in bytes: inout [UInt8]
) {
  for index in 0..<count where bytes.indices.contains(offset + index) {
    bytes[offset + index] = UInt8(value >> (UInt64(count - 1 - index) * bits) & (1 << bits - 1))
  }
}

private func number(_ bytes: [UInt8], _ offset: Int, _ count: Int, bits: Int = 8) -> Int {
  (0..<count).reduce(0) { value, index in
    let byte = offset + index < bytes.count ? Int(bytes[offset + index]) : 0
    return value << bits | byte & (1 << bits - 1)
  }
}

// MARK: - ID3

/// The frames of the ID3v2 tag at `start`. Each range includes the header of the frame.
private func id3Frames(_ bytes: [UInt8], _ start: Int) -> [Range<Int>] {
  let version = bytes[start + 3]
  let header = version == 2 ? 6 : 10
  let end = min(bytes.count, start + 10 + number(bytes, start + 6, 4, bits: 7))
  var frames: [Range<Int>] = []
  var offset = start + 10
  while offset + header <= end, bytes[offset] >= UInt8(ascii: "0"), frames.count < 100 {
    let size =
      version == 2
      ? number(bytes, offset + 3, 3) : number(bytes, offset + 4, 4, bits: version == 4 ? 7 : 8)
    guard size >= 0, offset + header + size <= end else { break }
    frames.append(offset..<offset + header + size)
    offset += header + size
  }
  return frames
}

private func mutateID3(_ bytes: [UInt8], _ start: Int, _ random: inout FuzzRandom) -> [UInt8] {
  var result = bytes
  let version = bytes[start + 3]
  let frames = id3Frames(bytes, start)
  let frame = frames.isEmpty ? nil : frames[random.below(frames.count)]
  /// Adds `count` to the size in the header of the tag.
  func grow(by count: Int) {
    put(
      UInt64(max(0, number(bytes, start + 6, 4, bits: 7) + count)), 4, at: start + 6, bits: 7,
      in: &result)
  }
  switch random.below(8) {
  case 0: put(oddNumber(&random), 4, at: start + 6, bits: 7, in: &result)
  case 1: result[start + 5] ^= 1 << UInt8(random.below(8))
  case 2: result[start + 3] = UInt8(random.below(6))
  case 3:
    // Unsynchronisation: inserts a zero byte after each 0xFF.
    let end = min(bytes.count, start + 10 + number(bytes, start + 6, 4, bits: 7))
    guard start + 10 <= end else { return bytes }
    let body = bytes[start + 10..<end].flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
    result.replaceSubrange(start + 10..<end, with: body)
    result[start + 5] |= 0x80
    grow(by: body.count - (end - start - 10))
  case 4:
    guard let frame else { return bytes }
    if version == 2 {
      put(oddNumber(&random), 3, at: frame.lowerBound + 3, in: &result)
    } else {
      put(oddNumber(&random), 4, at: frame.lowerBound + 4, bits: version == 4 ? 7 : 8, in: &result)
    }
  case 5:
    guard let frame, version > 2 else { return bytes }
    result[frame.lowerBound + 9] ^= 1 << UInt8(random.below(8))
  case 6:
    // Nests ID3 frames, as the frame CHAP (a chapter) does. Appends a random frame to `frame`, or the part of the tag
    // from its start to the end of `frame`.
    guard let frame else { return bytes }
    let inner = random.below(2) == 0 ? frames[random.below(frames.count)] : start..<frame.upperBound
    result.insert(contentsOf: bytes[inner], at: frame.upperBound)
    let size = frame.count - (version == 2 ? 6 : 10) + inner.count
    let sizeOffset = frame.lowerBound + (version == 2 ? 3 : 4)
    put(UInt64(size), version == 2 ? 3 : 4, at: sizeOffset, bits: version == 4 ? 7 : 8, in: &result)
    grow(by: inner.count)
  default:
    // Repeats a frame many times.
    guard let frame else { return bytes }
    let copies = random.below(64)
    result.insert(contentsOf: (0..<copies).flatMap { _ in bytes[frame] }, at: frame.upperBound)
    grow(by: copies * frame.count)
  }
  return result
}

// MARK: - MPEG

/// Changes a flag or a number after the identifier (`Xing`, `Info` or `VBRI`). After `Xing` and `Info`: the flags, the
/// number of MPEG frames, the number of bytes, the table of contents, the quality, or a field of LAME. After `VBRI`:
/// the header or the table.
private func mutateInfo(_ bytes: [UInt8], _ start: Int, _ random: inout FuzzRandom) -> [UInt8] {
  var result = bytes
  switch random.below(4) {
  case 0: put(UInt64(random.below(32)), 4, at: start + 4, in: &result)
  case 1: put(oddNumber(&random), 4, at: start + 8 + 4 * random.below(2), in: &result)
  case 2: put(oddNumber(&random), 3, at: start + 141, in: &result)  // LAME: delay and padding
  default:
    put(oddNumber(&random), 1 << random.below(3), at: start + 4 + random.below(150), in: &result)
  }
  return result
}

// MARK: - WAV and AIFF

private func mutateChunks(_ bytes: [UInt8], _ start: Int, _ random: inout FuzzRandom) -> [UInt8] {
  let isLittle = !has("FORM", bytes, start)
  func size(at offset: Int) -> Int {
    let fields =
      isLittle ? bytes[offset..<offset + 4].reversed() : [UInt8](bytes[offset..<offset + 4])
    return number(fields, 0, 4)
  }
  var result = bytes
  func putSize(_ value: UInt64, at offset: Int) {
    put(
      isLittle ? UInt64(UInt32(truncatingIfNeeded: value).byteSwapped) : value, 4, at: offset,
      in: &result)
  }
  var chunks: [Range<Int>] = []
  var offset = start + 12
  while offset + 8 <= bytes.count, chunks.count < 100 {
    let end = min(bytes.count, offset + 8 + size(at: offset + 4))
    chunks.append(offset..<end)
    offset = end + (end - offset) % 2
  }
  guard !chunks.isEmpty else { return bytes }
  let chunk = chunks[random.below(chunks.count)]
  switch random.below(6) {
  case 0: putSize(oddNumber(&random), at: start + 4)
  case 1: putSize(oddNumber(&random), at: chunk.lowerBound + 4)
  case 2:
    // Makes the size of a chunk one byte larger or smaller.
    putSize(UInt64(max(0, chunk.count - 8 + [-1, 1][random.below(2)])), at: chunk.lowerBound + 4)
  case 3:
    let field = chunk.lowerBound + 8 + random.below(max(1, min(chunk.count - 8, 64)))
    put(oddNumber(&random), 1 << random.below(3), at: field, in: &result)
  case 4:
    let other = chunks[random.below(chunks.count)]
    result.insert(contentsOf: bytes[chunk], at: other.lowerBound)
  default:
    result.replaceSubrange(
      start..<start + 4, with: [[UInt8]("RIFF".utf8), [UInt8]("RF64".utf8)][random.below(2)])
  }
  return result
}
