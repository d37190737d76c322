// Fuzz target for image headers. It is compiled together with the files of Sources/Pictures/Artwork that read these
// headers.

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPictures(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  check(bytes)
  // A PNG header has a checksum. Without a correction of the checksum, almost every mutated header is rejected early.
  if bytes.count >= 33, bytes[0] == 0x89 { check(withChecksum(bytes)) }
  return 0
}

private func check(_ bytes: [UInt8]) {
  let limits = CoverLimits()
  let result = read(bytes, limits)
  switch result {
  case .success(let header):
    require(header.width > 0 && header.width <= limits.side)
    require(header.height > 0 && header.height <= limits.side)
    require(header.width * header.height <= limits.pixels)
  case .failure(.truncated):
    // If the header is truncated, every shorter prefix is truncated too.
    if bytes.count > 1 { require(read(bytes.dropLast(), limits) == .failure(.truncated)) }
    return
  case .failure(let fault):
    require(!fault.description.isEmpty)
    // More bytes can change the results `empty` and `unknownKind`. For example, two bytes can be too few to identify
    // the kind, and three bytes can be enough.
    if fault == .empty || fault == .unknownKind { return }
  }
  // Every other result is final, so the product does not read the rest of the file.
  require(read(bytes + [0xFF, 0, 1], limits) == result)
}

/// Reads the header. The result must not depend on the number of bytes that `HeaderBytes` reads at once (a window).
private func read(_ bytes: [UInt8], _ limits: CoverLimits) -> Result<ImageHeader, CoverFault> {
  let result = read(bytes, limits, windowBytes: HeaderBytes.windowBytes)
  require(read(bytes, limits, windowBytes: 1 + bytes.count % 7) == result)
  return result
}

private func read(_ bytes: [UInt8], _ limits: CoverLimits, windowBytes: Int)
  -> Result<ImageHeader, CoverFault>
{
  let windows = HeaderBytes(windowBytes: windowBytes) { offset, count in
    Array(bytes.dropFirst(offset).prefix(count))
  }
  return Result { () throws(CoverFault) in try ImageHeader(windows, limits: limits) }
}

private func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var sum = CRC32()
  sum.add(bytes[12..<29])
  let checksum = sum.value
  for index in 0..<4 {
    bytes[29 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
  }
  return bytes
}
