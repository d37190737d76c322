/// The versions of ID3v2. The raw value is the first byte after `ID3`.
enum ID3Version: UInt8 {
  case v2 = 2
  case v3 = 3
  case v4 = 4
}

/// The header of a frame in an ID3v2 tag.
struct ID3Frame: Equatable {
  /// Three characters in ID3v2.2, four in the later versions.
  let id: String
  /// The size of the frame in the tag, without the header.
  let size: Int64
  let flags: UInt16
  let version: ID3Version

  static func headerBytes(_ version: ID3Version) -> Int { version == .v2 ? 6 : 10 }

  /// - Parameters:
  ///   - bytes: the bytes of the header.
  ///   - usesPlainSizes: if true, the size is read as a plain number of 32 bits. Some programs write it in this form in
  ///     ID3v2.4, although this version requires seven bits in each byte.
  /// - Returns: nil if no frame begins here. The rest of the tag is then filler.
  init?(_ bytes: [UInt8], _ version: ID3Version, usesPlainSizes: Bool = false) {
    let length = version == .v2 ? 3 : 4
    guard bytes.count == Self.headerBytes(version),
      bytes[..<length].allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    id = String(decoding: bytes[..<length], as: UTF8.self)
    self.version = version
    switch version {
    case .v2:
      size = bytes[3..<6].reduce(0) { $0 << 8 | Int64($1) }
      flags = 0
    case .v3, .v4:
      let shift = version == .v3 || usesPlainSizes ? 8 : 7
      if shift == 7, bytes[4..<8].contains(where: { $0 >= 0x80 }) { return nil }
      size = bytes[4..<8].reduce(0) { $0 << shift | Int64($1) }
      flags = UInt16(bytes[8]) << 8 | UInt16(bytes[9])
    }
  }

  /// False for compressed and encrypted frames, which are not read.
  var isReadable: Bool {
    switch version {
    case .v2: true
    case .v3: flags & 0xC0 == 0
    case .v4: flags & 0x0C == 0
    }
  }

  var isUnsynchronised: Bool { version == .v4 && flags & 0x02 != 0 }

  /// Number of bytes between the header and the content: the group identifier, and in ID3v2.4 the length of the
  /// content. Both are optional.
  var prefixBytes: Int64 {
    switch version {
    case .v2: 0
    case .v3: flags & 0x20 != 0 ? 1 : 0
    case .v4: (flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0)
    }
  }
}
