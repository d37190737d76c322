import TestKit
import Testing

@testable import Artwork

/// Tests which values are read from the header of an image, and which values are rejected.
@Suite struct ImageHeaderTests {
  private func read(_ bytes: [UInt8]) throws -> ImageHeader {
    try ImageHeader(HeaderBytes(bytes), limits: CoverLimits())
  }

  private func fault(_ bytes: [UInt8]) -> CoverFault? {
    do throws(CoverFault) {
      _ = try ImageHeader(HeaderBytes(bytes), limits: CoverLimits())
      return nil
    } catch {
      return error
    }
  }

  private func isDamaged(_ bytes: [UInt8]) -> Bool {
    if case .damaged = fault(bytes) { true } else { false }
  }

  private func isUnsupported(_ bytes: [UInt8]) -> Bool {
    if case .unsupported = fault(bytes) { true } else { false }
  }

  @Test func read_picturesOfOtherPrograms_haveTheirSize() throws {
    for (bytes, kind, width, height) in [
      (GeneratedPictures.baselineJPEG, ImageKind.jpeg, 16, 12),
      (GeneratedPictures.progressiveJPEG, .jpeg, 20, 10),
      (GeneratedPictures.realPNG, .png, 7, 5),
    ] {
      let header = try read(bytes)
      #expect(header.kind == kind && header.width == width && header.height == height)
    }
  }

  @Test func read_truncatedHeader_isRefused_andTruncatedPixelsAreAccepted() {
    for (bytes, header) in [
      (GeneratedPictures.realPNG, 33), (GeneratedPictures.png(), 33),
      (GeneratedPictures.baselineJPEG, 177), (GeneratedPictures.progressiveJPEG, 177),
    ] {
      #expect(fault([]) == .empty)
      for length in 1..<header {
        #expect(fault(Array(bytes[..<length])) == .truncated, "\(length) bytes")
      }
      for length in header...bytes.count {
        #expect(fault(Array(bytes[..<length])) == nil, "\(length) bytes")
      }
    }
  }

  @Test(arguments: [
    ("GIF89a", "a GIF"), ("GIF87a", "a GIF"), ("RIFF\0\0\0\0WEBPVP8 ", "a WebP"),
    ("\0\0\0\u{18}ftypheic", "a HEIF, AVIF or video"), ("\0\0\0\u{0C}JXL \r\n", "a JPEG XL"),
    ("\0\0\0\u{0C}jP  \r\n", "a JPEG 2000"), ("II*\0", "a TIFF"), ("MM\0*", "a TIFF"),
    ("BM", "a BMP"), ("%PDF-1.7", "a PDF"), ("<svg/>", "text (SVG or a web page)"),
  ])
  func read_otherKind_isRefusedWithItsName(start: String, name: String) {
    #expect(fault(Array(start.utf8) + [0, 0, 0]) == .otherKind(name))
  }

  @Test func read_unknownKind_isRefused() {
    for bytes: [UInt8] in [[0], [0xFF, 0xD9, 0xFF], Array("RIFF....WAVE".utf8), [0x89, 0x50, 0]] {
      #expect(fault(bytes) == .unknownKind)
    }
  }

  // MARK: Sizes

  @Test func read_size_isCheckedAgainstTheLimits() throws {
    for (width, height) in [(1, 1), (8192, 1), (1, 8192), (8000, 5000), (8192, 4882)] {
      for bytes in [GeneratedPictures.png(width, height), GeneratedPictures.jpeg(width, height)] {
        let header = try read(bytes)
        #expect(header.width == width && header.height == height)
      }
    }
    for (width, height) in [(8193, 1), (1, 8193), (8192, 8192), (8192, 4883), (65535, 65535)] {
      for bytes in [GeneratedPictures.png(width, height), GeneratedPictures.jpeg(width, height)] {
        #expect(fault(bytes) == .tooLarge(width: width, height: height))
      }
    }
    let most = 0x7FFF_FFFF
    #expect(fault(GeneratedPictures.png(most, most)) == .tooLarge(width: most, height: most))
    #expect(isDamaged(GeneratedPictures.png(most + 1, 1)))
    #expect(isDamaged(GeneratedPictures.png(1, 0xFFFF_FFFF)))
  }

  @Test func read_emptySize_isRefused() {
    for (width, height) in [(0, 1), (1, 0), (0, 0)] {
      #expect(isDamaged(GeneratedPictures.png(width, height)))
      #expect(isDamaged(GeneratedPictures.jpeg(width, height)))
    }
  }

  // MARK: PNG

  @Test func png_oneWrongBit_isDetected() {
    let good = GeneratedPictures.png(640, 480)
    for bit in 0..<33 * 8 {
      var bytes = good
      bytes[bit / 8] ^= 1 << (bit % 8)
      #expect(fault(bytes) != nil, "bit \(bit)")
    }
  }

  @Test func png_depthAndColour_areCheckedAgainstTheStandard() {
    let allowed: [UInt8: [UInt8]] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    for colour: UInt8 in 0...8 {
      for depth: UInt8 in 0...17 {
        let isAllowed = allowed[colour]?.contains(depth) == true
        #expect(
          (fault(GeneratedPictures.png(9, 9, depth: depth, colour: colour)) == nil) == isAllowed)
      }
    }
    for rest: [UInt8] in [[1, 0, 0], [0, 1, 0], [0, 0, 2]] {
      #expect(isDamaged(GeneratedPictures.png(9, 9, rest: rest)))
    }
    #expect(fault(GeneratedPictures.png(9, 9, rest: [0, 0, 1])) == nil)
  }

  // MARK: JPEG

  private let start: [UInt8] = [0xFF, 0xD8]

  @Test func jpeg_wrongLengths_areRefused() {
    let frame = GeneratedPictures.frame(9, 9)
    for length in [0, 1] {
      #expect(isDamaged(start + [0xFF, 0xE1] + GeneratedPictures.number(length, bytes: 2) + frame))
    }
    // If the length of a segment is too large, the next segment is expected after the end of the file. If the length is
    // too small, the next segment is expected inside this segment.
    #expect(fault(start + [0xFF, 0xE1, 0xFF, 0xFF] + frame) == .truncated)
    #expect(isDamaged(start + [0xFF, 0xE1, 0, 2, 1, 2, 3] + frame))
    for length in [0, 2, 7, 10, 14, 16, 18, 20, 0xFFFF] {
      var bytes = start + frame
      bytes.replaceSubrange(4..<6, with: GeneratedPictures.number(length, bytes: 2))
      #expect(isDamaged(bytes), "frame header of \(length)")
    }
  }

  @Test func jpeg_withoutFrameHeader_isRefused() {
    #expect(fault(start + GeneratedPictures.segment(0xE0, [1, 2, 3])) == .truncated)
    for marker: UInt8 in [0xD9, 0xDA, 0xD8, 0xD0, 0xD7, 0x01, 0x00] {
      #expect(
        isDamaged(start + [0xFF, marker, 0, 4, 0, 0] + GeneratedPictures.frame(9, 9)), "\(marker)")
    }
    #expect(isDamaged(start + [0xFF, 0xE0, 0, 2, 0, 0, 0]))
  }

  @Test func jpeg_fillBytesAndManySegments_areSkipped() throws {
    let fill = [UInt8](repeating: 0xFF, count: 100)
    let segments = (0..<600).flatMap { GeneratedPictures.segment(0xE2, [UInt8($0 & 255)]) }
    let header = try read(
      start + fill + segments + GeneratedPictures.segment(0xFE, [])
        + GeneratedPictures.frame(30, 20))
    #expect(header.width == 30 && header.height == 20)
  }

  @Test func jpeg_rarelySupportedKinds_areRefused() {
    for marker: UInt8 in [0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] {
      #expect(isUnsupported(start + GeneratedPictures.frame(9, 9, marker: marker)))
    }
    #expect(isUnsupported(start + GeneratedPictures.frame(9, 9, precision: 12)))
    for components in [1, 3, 4] {
      #expect(fault(start + GeneratedPictures.frame(9, 9, components: components)) == nil)
    }
    for components in [0, 2, 5, 255] {
      #expect(isDamaged(start + GeneratedPictures.frame(9, 9, components: components)))
    }
  }

  @Test func jpeg_withoutEnd_stopsAtTheLimit() {
    let size = 100_000
    let fill = start + [UInt8](repeating: 0xFF, count: size)
    let empty = start + [[UInt8]](repeating: [0xFF, 0xE0, 0, 2], count: size / 4).joined()
    for bytes in [fill, empty] {
      // The result is not `truncated`: reading stops at the limit, not at the end of the bytes.
      #expect(isDamaged(bytes))
    }
  }

  // MARK: Windows

  @Test func read_windowOfAnySize_hasTheSameResult() throws {
    let segments = (0..<20).flatMap {
      GeneratedPictures.segment(0xE2, [UInt8](repeating: 9, count: 37 * $0))
    }
    let pictures = [
      GeneratedPictures.baselineJPEG, GeneratedPictures.realPNG,
      start + segments + GeneratedPictures.frame(30, 20),
    ]
    for bytes in pictures {
      let header = try read(bytes)
      for windowBytes in 1...70 {
        let windows = HeaderBytes(bytes, windowBytes: windowBytes)
        #expect(try ImageHeader(windows, limits: CoverLimits()) == header)
      }
    }
  }

  /// The colour profiles fill 100 segments of 60 000 bytes. The contents of these segments are not read.
  @Test func read_largeProfiles_areSkipped() throws {
    let profile = GeneratedPictures.segment(0xE2, [UInt8](repeating: 7, count: 60_000))
    let bytes = start + (0..<100).flatMap { _ in profile } + GeneratedPictures.frame(30, 20)
    var reads = 0
    var most = 0
    let windows = HeaderBytes { offset, count in
      reads += 1
      most = max(most, count)
      return Array(bytes.dropFirst(offset).prefix(count))
    }
    #expect(try ImageHeader(windows, limits: CoverLimits()).width == 30)
    #expect(reads <= 102 && most <= HeaderBytes.windowBytes)
  }

  // MARK: Random bytes

  /// 20 000 damaged headers for each seed. A failure reports the seed and the round.
  @Test(arguments: [1, 2, 3])
  func read_mutatedImages_keepsTheRules(seed: UInt64) {
    var random = SeededRandom(seed)
    let limits = CoverLimits()
    let seeds = [
      GeneratedPictures.baselineJPEG, GeneratedPictures.progressiveJPEG, GeneratedPictures.realPNG,
      GeneratedPictures.jpeg(), GeneratedPictures.png(),
      [0xFF, 0xD8] + (0..<20).flatMap { GeneratedPictures.segment(0xE1, [UInt8]($0..<$0 + 20)) }
        + GeneratedPictures.frame(5, 5),
    ]
    for round in 0..<20_000 {
      var bytes = Array(seeds.randomElement(using: &random)!.prefix(200))
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[index] = [0, 1, 2, 0x7F, 0xFF].randomElement(using: &random)!
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(0xFF, at: index)
        default: bytes.removeLast(bytes.count - index)
        }
      }
      // In half of the rounds, correct the checksum of a PNG header. Otherwise every changed PNG header would be
      // rejected because of its checksum.
      if bytes.count >= 33, bytes[0] == 0x89, round % 2 == 0 {
        bytes.replaceSubrange(
          29..<33,
          with: GeneratedPictures.number(Int(GeneratedPictures.crc32(Array(bytes[12..<29])))))
      }
      guard let header = try? read(bytes) else {
        #expect(fault(bytes)?.description.isEmpty == false, "seed \(seed), round \(round)")
        continue
      }
      let isSane =
        (1...limits.side).contains(header.width) && (1...limits.side).contains(header.height)
        && header.width * header.height <= limits.pixels
      #expect(isSane, "seed \(seed), round \(round): \(bytes)")
      // Further bytes after the header do not change the result.
      #expect((try? read(bytes + [0xFF, 0xD8])) == header, "seed \(seed), round \(round)")
    }
  }

  @Test func declared_mimeTypeOrFileName_isRead() {
    for word in ["image/jpeg", "image/jpg", "IMAGE/JPEG", "image/pjpeg", "Cover.JPG", "a.b.jpeg"] {
      #expect(ImageKind(declared: word) == .jpeg)
    }
    for word in ["image/png", "image/x-png", "PNG", "cover.png"] {
      #expect(ImageKind(declared: word) == .png)
    }
    for word in ["image/gif", "", "-->", "image/", "jpeg/x"] {
      #expect(ImageKind(declared: word) == nil)
    }
  }
}
