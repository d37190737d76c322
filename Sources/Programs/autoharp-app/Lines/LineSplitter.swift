/// Splits bytes into lines, and never keeps more than one line. A value without I/O.
struct LineSplitter {
  /// The largest number of bytes of a line. A longer line is skipped up to its end.
  static let limit = 64 << 10

  private var line: [UInt8] = []
  private var isTooLong = false

  /// Takes bytes, and calls `body` with each line that is complete, without its end; with nil for a line that was too
  /// long.
  mutating func add(_ bytes: some Collection<UInt8>, _ body: ([UInt8]?) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      body(isTooLong ? nil : line)
      isTooLong = false
      line.removeAll(keepingCapacity: true)
      rest = rest[rest.index(after: end)...]
    }
    keep(rest)
  }

  private mutating func keep(_ bytes: some Collection<UInt8>) {
    guard !isTooLong else { return }
    isTooLong = bytes.count > Self.limit - line.count
    if isTooLong { line = [] } else { line.append(contentsOf: bytes) }
  }
}
