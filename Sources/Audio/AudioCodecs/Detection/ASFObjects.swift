/// Finds out from the header objects of an ASF file whether the file contains protected sound, other sound or a film.
/// Reads only the first bytes of each object, and at most ``objectLimit`` objects.
enum ASFObjects {
  private typealias GUID = [UInt8]

  /// The first bytes of an ASF file: the GUID of the header object.
  static let header: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]

  /// The GUIDs of the three content encryption objects: plain, extended and advanced.
  private static let encryptions: Set<GUID> = [
    [
      0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11,
      0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55, 0xFC, 0x6E,
    ],
    [
      0x14, 0xE6, 0x8A, 0x29, 0x22, 0x26, 0x17, 0x4C,
      0xB9, 0x35, 0xDA, 0xE0, 0x7E, 0xE9, 0x28, 0x9C,
    ],
    [
      0x33, 0x85, 0x05, 0x43, 0x81, 0x69, 0xE6, 0x49,
      0x9B, 0x74, 0xAD, 0x12, 0xCB, 0x86, 0xD5, 0x8C,
    ],
  ]
  /// The GUID of the object that describes a stream.
  private static let stream: GUID = [
    0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
  /// The GUID that states that a stream is video.
  private static let video: GUID = [
    0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
  ]

  /// The largest number of objects that are read.
  private static let objectLimit = 256
  /// Number of bytes of the GUID and the size, with which each object begins.
  private static let objectBytes: Int64 = 24

  /// The format of the file that begins at `start` with ``header``.
  static func format(_ source: any ByteSource, start: Int64) throws(ByteSourceError)
    -> ForeignFormat
  {
    guard let size = try self.size(source, at: start) else { return .wma }
    let end = start + min(size, source.size - start)
    // In the header object, the number of objects (4 bytes) and 2 other bytes follow the GUID and the size.
    var offset = start + objectBytes + 6
    var format = ForeignFormat.wma
    for _ in 0..<objectLimit {
      guard end - offset >= objectBytes, let size = try self.size(source, at: offset),
        let identity = try source.bytes(at: offset, count: 16)
      else { break }
      if encryptions.contains(identity) { return .protected }
      if identity == stream, try source.bytes(at: offset + objectBytes, count: 16) == video {
        format = .video
      }
      guard size <= end - offset else { break }
      offset += size
    }
    return format
  }

  /// The size of the object at `offset`. Nil if the size is too small or negative.
  private static func size(_ source: any ByteSource, at offset: Int64) throws(ByteSourceError)
    -> Int64?
  {
    guard let bytes = try source.bytes(at: offset + 16, count: 8) else { return nil }
    let size = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let size = Int64(exactly: size), size >= objectBytes else { return nil }
    return size
  }
}
