/// Makes many FLAC files with different tags from one encoded file, much faster than an encoder.
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

  /// The bytes of a file with these tags, each as `NAME=value`.
  ///
  /// - Parameter sound: files with the same number have the same MD5 of their samples. Only the MD5 differs,
  ///   and not the samples.
  public func file(_ tags: [String], sound: UInt32 = 0) -> [UInt8] {
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
    let size = (0..<3).map { UInt8(truncatingIfNeeded: comments.count >> (16 - 8 * $0)) }
    return Array("fLaC".utf8) + [0, 0, 0, 34] + info + [0x84] + size + comments + frames
  }
}
