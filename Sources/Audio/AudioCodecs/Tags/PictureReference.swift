/// A picture inside a file: its header, and the location of its bytes. The bytes stay in the file until
/// ``AudioFile/picture(_:in:)`` reads them.
public struct PictureReference: Equatable, Sendable {
  /// The largest number of pictures that are listed. A hostile file can have thousands of pictures.
  static let maximumPerStream = 64

  /// The kind of the picture (RFC 9639, section 8.8). 3 is the front cover.
  public let type: UInt32
  /// The MIME type that the file states. It is not compared with the bytes.
  public let mimeType: String
  /// The description that the file contains.
  public let description: String
  /// In pixels, as stated by the file; 0 if unknown.
  public let width: UInt32
  /// In pixels, as stated by the file; 0 if unknown.
  public let height: UInt32
  /// Length of the picture in bytes.
  public let byteCount: Int
  /// How to read the bytes.
  let location: Location

  /// The location of a picture's bytes.
  enum Location: Equatable, Sendable {
    /// A range of the file contains the bytes unchanged.
    case file(Range<Int64>)
    /// Packet `index` of an Ogg stream contains the bytes in the range `part`. If `base64Skip` is nil, the bytes are
    /// unchanged. Otherwise the range contains a PICTURE block in base64, and `base64Skip` is the length of this
    /// block's header.
    case oggPacket(
      stream: Range<Int64>, serial: Int32, index: Int, part: Range<Int64>, base64Skip: Int?)
    /// The bytes begin at `start` after ID3's unsynchronisation is removed from the bytes of `tag`.
    case unsynchronised(tag: Range<Int64>, start: Int64)
  }

  /// The name of ``type`` (RFC 9639, section 8.8, table 13).
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

/// The part of a PICTURE block before the picture's bytes.
struct PictureHeader {
  static let maximumBytes = 8 * 1024

  let type: UInt32
  let mimeType: String
  let description: String
  let width: UInt32
  let height: UInt32
  let byteCount: Int
  /// Offset of the picture's bytes in the block.
  let dataOffset: Int

  /// - Parameters:
  ///   - bytes: the first ``maximumBytes`` of the block, or the whole block if it is shorter.
  ///   - blockLength: length of the whole block in bytes.
  /// - Returns: nil if a length in the header is too large for the block.
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
