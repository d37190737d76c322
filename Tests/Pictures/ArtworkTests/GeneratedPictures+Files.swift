import Foundation
import TestKit

@testable import Artwork

/// Music files with pictures, made byte by byte.
extension GeneratedPictures {
  // MARK: Pictures from ImageMagick

  /// A baseline JPEG of 16×12 pixels. Its frame header (SOF) ends at byte 177.
  static let baselineJPEG = base64(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ
    c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk
    pKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAMABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAA
    AAQF/8QAFxABAAMAAAAAAAAAAAAAAAAAAAESE//EABUBAQEAAAAAAAAAAAAAAAAAAAQF/8QAFhEAAwAAAAAAAAAA
    AAAAAAAAAAIU/9oADAMBAAIRAxEAPwDL0NE9pLSpQKKtY//Z
    """)

  /// A progressive JPEG of 20×10 pixels. Its frame header (SOF) ends at byte 177.
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

  /// A PNG of 7×5 pixels.
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
    /// The size that the picture block states. Nil if the block states the true size.
    var claimed: Int?
  }

  /// A PICTURE block (RFC 9639, 8.8).
  static func block(_ picture: Embedded) -> [UInt8] {
    let mime = Array(picture.mime.utf8)
    return number(picture.type) + number(mime.count) + mime + number(0) + number(0) + number(0)
      + number(0) + number(0) + number(picture.claimed ?? picture.bytes.count) + picture.bytes
  }

  /// An Ogg Vorbis file with a picture in its tags, in base64.
  static func vorbis(_ picture: Embedded) -> [UInt8] {
    let text = Data(block(picture)).base64EncodedData()
    return GeneratedVorbisSetup().file(
      comments: GeneratedVorbisSetup.comments(
        long: Array("METADATA_BLOCK_PICTURE=".utf8) + text))
  }

  /// A FLAC file with pictures and without frames.
  static func flac(_ pictures: [Embedded] = []) -> [UInt8] {
    // RFC 9639, 8.2: blocks of 4096 frames, 44100 Hz, 2 channels, 16 bits.
    let streamInfo =
      number(4096, bytes: 2) + number(4096, bytes: 2) + number(0, bytes: 6)
      + number(44100 << 12 | 1 << 9 | 15 << 4, bytes: 4) + number(0, bytes: 4)
      + [UInt8](repeating: 0, count: 16)
    var blocks: [(type: UInt8, body: [UInt8])] = [(0, streamInfo)]
    for picture in pictures { blocks.append((6, block(picture))) }
    blocks.append((1, [0, 0, 0, 0]))
    var bytes = Array("fLaC".utf8)
    for (index, block) in blocks.enumerated() {
      bytes += [block.type | (index == blocks.count - 1 ? 0x80 : 0)]
      bytes += number(block.body.count, bytes: 3) + block.body
    }
    return bytes
  }
}

extension HeaderBytes {
  /// Reads the header of a picture in memory.
  init(_ bytes: [UInt8], windowBytes: Int = HeaderBytes.windowBytes) {
    self.init(windowBytes: windowBytes) { offset, count in
      Array(bytes.dropFirst(offset).prefix(count))
    }
  }
}

extension TemporaryFolder {
  /// The names of the files in this folder, or in the folder `folder` inside it.
  func names(_ folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// Sets the modification time of a file.
  func age(_ name: String, seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path(name))
  }
}
