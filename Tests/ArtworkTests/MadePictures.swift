import Foundation
import TestKit

@testable import Artwork

/// Pictures, and music files around them, byte by byte.
enum Made {
  static func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  // MARK: Pictures

  /// A JPEG whose header is right; `mark` makes it another picture.
  static func jpeg(_ width: Int = 600, _ height: Int = 600, mark: Int = 0) -> [UInt8] {
    [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + number(mark, bytes: 8))
      + frame(width, height) + [0xFF, 0xDA] + number(8, bytes: 2) + [1, 1, 0, 0, 63, 0]
      + [UInt8](repeating: 0x55, count: 40) + [0xFF, 0xD9]
  }

  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + number(body.count + 2, bytes: 2) + body
  }

  static func frame(
    _ width: Int, _ height: Int, marker: UInt8 = 0xC0, precision: UInt8 = 8, components: Int = 3
  ) -> [UInt8] {
    segment(
      marker,
      [precision] + number(height, bytes: 2) + number(width, bytes: 2) + [UInt8(components)]
        + (0..<components).flatMap { [UInt8($0 + 1), 0x11, 0] })
  }

  /// A PNG whose header is right.
  static func png(
    _ width: Int = 600, _ height: Int = 600, depth: UInt8 = 8, colour: UInt8 = 2,
    rest: [UInt8] = [0, 0, 0]
  ) -> [UInt8] {
    let header = Array("IHDR".utf8) + number(width) + number(height) + [depth, colour] + rest
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + number(13) + header
      + number(Int(crc32(header))) + number(0) + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 != 0 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  // MARK: Pictures that ImageMagick made

  /// 16×12, baseline. The frame header ends at byte 177.
  static let baselineJPEG = base64(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ
    c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk
    pKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAMABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAA
    AAQF/8QAFxABAAMAAAAAAAAAAAAAAAAAAAESE//EABUBAQEAAAAAAAAAAAAAAAAAAAQF/8QAFhEAAwAAAAAAAAAA
    AAAAAAAAAAIU/9oADAMBAAIRAxEAPwDL0NE9pLSpQKKtY//Z
    """)

  /// 20×10, progressive. The frame header ends at byte 177.
  static let progressiveJPEG = base64(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////
    ////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////
    ////////////////////////////////////wgARCAAKABQDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAA
    AAED/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAEC/9oADAMBAAIQAxAAAAHNG7UH/8QAFBABAAAAAAAAAAAAAAAAAAAA
    IP/aAAgBAQABBQJf/8QAFREBAQAAAAAAAAAAAAAAAAAAABL/2gAIAQMBAT8BpT//xAAVEQEBAAAAAAAAAAAAAAAA
    AAAAEv/aAAgBAgEBPwGUv//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEABj8CX//EABYQAQEBAAAAAAAAAAAA
    AAAAABEAIP/aAAgBAQABPyFmcf/aAAwDAQACAAMAAAAQzz//xAAVEQEBAAAAAAAAAAAAAAAAAAAAEf/aAAgBAwEB
    PxClP//EABURAQEAAAAAAAAAAAAAAAAAAAAR/9oACAECAQE/EJS//8QAFBABAAAAAAAAAAAAAAAAAAAAIP/aAAgB
    AQABPxBD/9k=
    """)

  /// 7×5.
  static let realPNG = base64(
    """
    iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAIAAAAG+GGPAAAAE0lEQVQI12NkaGDABEwMDDQRBQA4lACK+Lj6+AAA
    AABJRU5ErkJggg==
    """)

  private static func base64(_ text: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters)!)
  }

  // MARK: Music files

  /// A picture in a FLAC file.
  struct Embedded {
    var type = 3
    var mime = "image/jpeg"
    var bytes: [UInt8]
    /// What the block says, where that is not the truth.
    var claimed: Int?
  }

  /// A FLAC file of pictures, and no sound behind them.
  static func flac(_ pictures: [Embedded] = []) -> [UInt8] {
    // RFC 9639, 8.2: blocks of 4096 frames, 44100 Hz, 2 channels, 16 bits.
    let streamInfo =
      number(4096, bytes: 2) + number(4096, bytes: 2) + number(0, bytes: 6)
      + number(44100 << 12 | 1 << 9 | 15 << 4, bytes: 4) + number(0, bytes: 4)
      + [UInt8](repeating: 0, count: 16)
    var blocks: [(type: UInt8, body: [UInt8])] = [(0, streamInfo)]
    for picture in pictures {
      let mime = Array(picture.mime.utf8)
      blocks.append(
        (
          6,
          number(picture.type) + number(mime.count) + mime + number(0) + number(0) + number(0)
            + number(0) + number(0) + number(picture.claimed ?? picture.bytes.count)
            + picture.bytes
        ))
    }
    blocks.append((1, [0, 0, 0, 0]))
    var bytes = Array("fLaC".utf8)
    for (index, block) in blocks.enumerated() {
      bytes += [block.type | (index == blocks.count - 1 ? 0x80 : 0)]
      bytes += number(block.body.count, bytes: 3) + block.body
    }
    return bytes
  }
}

extension TemporaryFolder {
  /// The names in it, or in a folder in it.
  func names(_ folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// Gives a file another age.
  func age(_ name: String, seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path(name))
  }
}

/// The same numbers for the same seed.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
