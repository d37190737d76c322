/// Makes many FLAC files with different tags from one encoded file, much faster than with an encoder.
public struct TaggedFLAC {
  private let streamInfo: [UInt8]
  private let frames: [UInt8]

  /// Encodes a few frames with `flac`.
  public init(_ folder: TemporaryFolder) throws {
    try GeneratedMusic(channels: 1, frames: 200).flac(folder, "template.flac", ["--no-padding"])
    let bytes = try folder.read("template.flac")
    streamInfo = Array(bytes[8..<42])
    var offset = 4
    while bytes[offset] & 0x80 == 0 { offset += 4 + Self.length(bytes, offset) }
    frames = Array(bytes[(offset + 4 + Self.length(bytes, offset))...])
  }

  private static func length(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes[offset + 1]) << 16 | Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
  }

  /// Makes the bytes of a file with these tags, each as `NAME=value`.
  ///
  /// - Parameters:
  ///   - sound: selects the MD5 of the samples in the header. Equal numbers give equal MD5 values. The samples are
  ///     always the same.
  ///   - picture: the bytes of a front cover. Nil for a file without a cover.
  public func file(_ tags: [String], sound: UInt32 = 0, picture: [UInt8]? = nil) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var info = streamInfo
    for index in 0..<4 {
      info[18 + index] ^= UInt8(truncatingIfNeeded: sound >> (8 * UInt32(index)))
    }
    let comments =
      number(4) + Array("test".utf8) + number(tags.count)
      + tags.flatMap { number($0.utf8.count) + Array($0.utf8) }
    func block(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
      [type] + (0..<3).map { UInt8(truncatingIfNeeded: body.count >> (16 - 8 * $0)) } + body
    }
    let cover = picture.map { block(6, Self.pictureBlock($0)) } ?? []
    return Array("fLaC".utf8) + block(0, info) + cover + block(0x84, comments) + frames
  }

  /// A PICTURE block (RFC 9639, 8.8) with a front cover.
  private static func pictureBlock(_ picture: [UInt8]) -> [UInt8] {
    let number = { GeneratedPictures.number($0) }
    let type = Array("image/png".utf8)
    return number(3) + number(type.count) + type + [UInt8](repeating: 0, count: 20)
      + number(picture.count) + picture
  }
}
