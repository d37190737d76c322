// Fuzz target for the decoding of covers. It is compiled together with the files of Sources/Pictures/PictureExchange
// and Sources/Pictures/PictureDecoding. It calls the decoder in the same process, without the limits that the program
// autoharp-cover sets for itself.

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCovers(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  check(bytes)
  // The chunks of a PNG have checksums. Without a correction of the checksums, almost every mutated file is rejected
  // early.
  if bytes.first == 0x89 { check(withChecksums(bytes)) }
  return 0
}

private func check(_ bytes: [UInt8]) {
  var random = FuzzRandom(from: bytes)
  let form: PictureRequest.Form = random.below(2) == 0 ? .cover : .shape
  let request = PictureRequest(form, side: 1 + random.below(300))
  var limits = DecodingLimits()
  // With the default limits, an input can take seconds.
  limits.pixels = 1 << 20
  limits.heldBytes = 8 << 20
  if random.below(4) == 0 { return checkThumbnail(bytes, side: 1 + random.below(192), limits) }
  var announced: (width: Int, height: Int)?
  var rows = 0
  bytes.withUnsafeBufferPointer { buffer in
    do throws(DecodingError) {
      try PictureDecoder.decode(buffer, request, limits: limits) { width, height in
        require(announced == nil, "begin is called once")
        require((1...request.side).contains(width) && (1...request.side).contains(height))
        require(form == .shape || width == height, "a cover is a square")
        announced = (width, height)
      } row: { row in
        require(row.count == (announced?.width ?? 0) * 4)
        _ = touch(UnsafeRawBufferPointer(row))
        rows += 1
      }
      require(rows == announced?.height, "a decoded picture is complete")
    } catch {
      require(rows <= announced?.height ?? 0)
    }
  }
}

private func checkThumbnail(_ bytes: [UInt8], side: Int, _ limits: DecodingLimits) {
  bytes.withUnsafeBufferPointer { buffer in
    let request = PictureRequest(.thumbnail, side: side)
    guard let jpeg = try? ThumbnailEncoder.encode(buffer, request, limits: limits) else { return }
    let result = PictureFile.header(thumbnailBytes: jpeg.count) + jpeg
    require(result.count <= PictureFile.largest(request))
    result.withUnsafeBytes { require(PictureFile.thumbnail($0) == jpeg, "a thumbnail is a JPEG") }
  }
}

/// The bytes with the right checksum for each chunk.
private func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var at = 8
  while at + 12 <= bytes.count {
    let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - at - 12 else { break }
    let checksum = crc32(bytes[(at + 4)..<(at + 8 + length)])
    for index in 0..<4 {
      bytes[at + 8 + length + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
    }
    at += 12 + length
  }
  return bytes
}

private func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  ~bytes.reduce(~0 as UInt32) { remainder, byte in
    (0..<8).reduce(remainder ^ UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }
}
