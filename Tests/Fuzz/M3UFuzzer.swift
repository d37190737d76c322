// Fuzz target for playlists in the format M3U. It is compiled together with the sources of PlaylistFiles.

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzM3U(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  var random = FuzzRandom(from: bytes)
  let list = read(bytes, largestRead: .max)
  check(list)
  // The result must not depend on the sizes of the reads.
  require(read(bytes, largestRead: 1 + random.below(40)) == list)
  // Repeats the input until a limit of `M3UPlaylist` ends the reading.
  if random.below(512) == 0, !bytes.isEmpty {
    let line = bytes + [0x0A]
    let many = Array(repeatElement(line, count: M3UPlaylist.maximumBytes / line.count + 1).joined())
    check(read(many, largestRead: .max))
  }
  // An error of the medium ends the reading.
  let failing = FaultyByteSource(
    bytes, largestRead: 1 + random.below(40), failsAt: Int64(random.below(bytes.count)))
  if let part = try? M3UPlaylist(failing) { require(bytes.isEmpty || part.entries.count > 0) }
  return 0
}

private func read(_ bytes: [UInt8], largestRead: Int) -> M3UPlaylist? {
  try? M3UPlaylist(FaultyByteSource(bytes, largestRead: largestRead))
}

private func check(_ list: M3UPlaylist?) {
  guard let list else { return require(false, "memory has no errors") }
  require(list.entries.count <= M3UPlaylist.maximumEntries)
  let texts = list.entries.reduce(0) { $0 + $1.path.utf8.count + ($1.title?.utf8.count ?? 0) }
  // The last entry can exceed the limit by two lines: its path and its title. In these lines, each byte of Windows-1252
  // becomes up to three bytes of UTF-8.
  require(texts <= M3UPlaylist.maximumTextBytes + 6 * M3UPlaylist.maximumLineBytes)
  for entry in list.entries {
    let names = entry.path.split(separator: "/", omittingEmptySubsequences: false)
    require(!names.isEmpty)
    require(names.allSatisfy { !$0.isEmpty && $0 != "." && !$0.contains("\\") })
    require(!entry.path.utf8.contains(0))
  }
}
