/// Reads bytes at any offset of a picture's header. Only a small window of the picture is in memory.
struct HeaderBytes {
  /// Size of the window. For most pictures, the first window contains the whole header.
  static let windowBytes = 4096

  private let windowBytes: Int
  private let read: (_ offset: Int, _ count: Int) throws(CoverFault) -> [UInt8]
  private var window: [UInt8] = []
  private var start = 0

  /// - Parameter read: returns `count` bytes at `offset`; fewer only at the end of the picture.
  init(
    windowBytes: Int = HeaderBytes.windowBytes,
    read: @escaping (_ offset: Int, _ count: Int) throws(CoverFault) -> [UInt8]
  ) {
    self.windowBytes = windowBytes
    self.read = read
  }

  /// The byte at an offset. Nil after the end of the picture.
  private mutating func byteIfPresent(_ offset: Int) throws(CoverFault) -> UInt8? {
    if !(start..<start + window.count).contains(offset) {
      window = try read(offset, windowBytes)
      start = offset
    }
    return window.isEmpty ? nil : window[offset - start]
  }

  /// The first `count` bytes; fewer if the picture is shorter.
  mutating func first(_ count: Int) throws(CoverFault) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let byte = try byteIfPresent(bytes.count) { bytes.append(byte) }
    return bytes
  }

  /// The byte at `offset`. This function, ``number16(_:)`` and ``number32(_:)`` throw ``CoverFault/truncated`` if the
  /// picture ends before the last byte that they need.
  mutating func byte(_ offset: Int) throws(CoverFault) -> UInt8 {
    guard let byte = try byteIfPresent(offset) else { throw .truncated }
    return byte
  }

  /// A big-endian number of two bytes.
  mutating func number16(_ offset: Int) throws(CoverFault) -> Int {
    Int(try byte(offset)) << 8 | Int(try byte(offset + 1))
  }

  /// A big-endian number of four bytes.
  mutating func number32(_ offset: Int) throws(CoverFault) -> Int {
    try number16(offset) << 16 | number16(offset + 2)
  }
}
