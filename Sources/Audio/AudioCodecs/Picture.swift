/// A picture inside a file: what its header says, and where its bytes are. The bytes stay in
/// the file until somebody asks (``AudioFile/pictureBytes(_:in:)``).
public struct PictureReference: Equatable, Sendable {
  /// Pictures beyond this many are not listed: hostile files have thousands.
  static let maximumPerStream = 64

  /// RFC 9639, section 8.8: 3 is the front cover.
  public let type: UInt32
  /// As the file says; not checked against the bytes.
  public let mimeType: String
  /// For people.
  public let description: String
  /// In pixels, as the file says; 0 is unknown.
  public let width: UInt32
  /// In pixels, as the file says; 0 is unknown.
  public let height: UInt32
  /// Length of the picture in bytes.
  public let byteCount: Int
  /// How to get at the bytes.
  let location: Location

  /// Where a picture's bytes are.
  enum Location: Equatable, Sendable {
    /// They stand in the file as they are.
    case file(Range<Int64>)
    /// They stand in packet `index` of an Ogg stream, which must be put together from pages:
    /// as they are, or (`base64Skip`) as base64 of a block whose first bytes are no picture.
    case oggPacket(
      stream: Range<Int64>, serial: Int32, index: Int, part: Range<Int64>, base64Skip: Int?)
  }

  /// RFC 9639, section 8.8, table 13.
  public var typeName: String {
    let names = [
      "other", "file icon", "other icon", "front cover", "back cover", "leaflet", "media",
      "lead artist", "artist", "conductor", "band", "composer", "lyricist", "location",
      "recording", "performance", "screen capture", "fish", "illustration", "band logo",
      "publisher logo",
    ]
    return type < UInt32(names.count) ? names[Int(type)] : "type \(type)"
  }
}

/// The part of a PICTURE block before its bytes.
struct PictureHeader {
  static let maximumBytes = 8 * 1024

  let type: UInt32
  let mimeType: String
  let description: String
  let width: UInt32
  let height: UInt32
  let byteCount: Int
  /// Where the picture's bytes begin in the block.
  let dataOffset: Int

  /// - Parameters:
  ///   - bytes: the beginning of the block, at least `maximumBytes` of it where it has them.
  ///   - blockLength: how long the whole block is.
  /// - Returns: nil where a length does not fit.
  init?(_ bytes: [UInt8], blockLength: Int64) {
    var offset = 0
    func number() -> UInt32? {
      guard offset + 4 <= bytes.count else { return nil }
      defer { offset += 4 }
      return UInt32(bigEndian: bytes[offset...])
    }
    func text() -> String? {
      guard let length = number(), Int(length) <= bytes.count - offset else { return nil }
      defer { offset += Int(length) }
      return String(decoding: bytes[offset..<offset + Int(length)], as: UTF8.self)
    }
    guard let type = number(), let mimeType = text(), let description = text(),
      let width = number(), let height = number(), number() != nil, number() != nil,
      let length = number(), Int64(length) <= blockLength - Int64(offset)
    else { return nil }
    self.type = type
    self.mimeType = mimeType
    self.description = description
    self.width = width
    self.height = height
    byteCount = Int(length)
    dataOffset = offset
  }
}

extension PictureReference {
  init(_ header: PictureHeader, location: Location) {
    self.init(
      type: header.type, mimeType: header.mimeType, description: header.description,
      width: header.width, height: header.height, byteCount: header.byteCount,
      location: location)
  }
}

/// RFC 4648, section 4. Stops at the first character that is not of the alphabet.
func decodeBase64(_ text: some Sequence<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  var bits: UInt32 = 0
  var count = 0
  for character in text {
    let value: UInt8
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    default: return result
    }
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return result
}
