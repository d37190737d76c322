import CTurboJPEG
import PictureDecoding
import PictureExchange
import TestKit
import Testing

@Suite struct PictureDecoderTests {
  /// A decoded picture. The bytes of a pixel are blue, green, red and alpha; the colours are premultiplied.
  private struct Pixels: Equatable {
    var width = 0
    var height = 0
    var bytes: [UInt8] = []

    func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[((y * width + x) * 4)...].prefix(4)) }

    /// True if the left half is red and the right half is blue.
    var isHalves: Bool {
      let left = pixel(width / 4, height / 2)
      let right = pixel(width * 3 / 4, height / 2)
      return left[2] > 160 && left[0] < 90 && right[2] < 90 && right[0] > 160
    }
  }

  private func decode(
    _ bytes: [UInt8], _ form: PictureRequest.Form = .cover, side: Int,
    limits: DecodingLimits = DecodingLimits()
  ) throws(DecodingError) -> Pixels {
    final class Box { var pixels = Pixels() }
    let box = Box()
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    defer { copy.deallocate() }
    try PictureDecoder.decode(
      UnsafeBufferPointer(copy), PictureRequest(form, side: side), limits: limits
    ) {
      (box.pixels.width, box.pixels.height) = ($0, $1)
    } row: {
      box.pixels.bytes += $0
    }
    #expect(box.pixels.bytes.count == box.pixels.width * box.pixels.height * 4)
    return box.pixels
  }

  private func halves(_ width: Int, _ height: Int) -> [UInt8] {
    GeneratedPNG.halves(width, height).bytes
  }

  private func jpeg(_ width: Int, _ height: Int, _ flags: Int32 = 0) throws -> [UInt8] {
    let encoder = try #require(tjInitCompress())
    defer { tjDestroy(encoder) }
    let (red, blue): ([UInt8], [UInt8]) = ([0xC0, 32, 32], [32, 32, 0xC0])
    var pixels: [UInt8] = []
    for _ in 0..<height { for x in 0..<width { pixels += x < width / 2 ? red : blue } }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let code = tjCompress2(
      encoder, pixels, Int32(width), Int32(width * 3), Int32(height),
      Int32(TJPF_RGB.rawValue), &buffer, &size, Int32(TJSAMP_444.rawValue), 90, flags)
    try #require(code == 0)
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  // MARK: Pictures

  @Test func jpegAndPNG_areDecodedAtTheirDisplayedSize() throws {
    var interlaced = GeneratedPNG.halves(1000, 1000)
    interlaced.isInterlaced = true
    for bytes in [
      halves(1000, 1000), interlaced.bytes, try jpeg(1000, 1000),
      try jpeg(1000, 1000, TJFLAG_PROGRESSIVE),
    ] {
      let image = try decode(bytes, side: 200)
      #expect(image.width == 200 && image.height == 200)
      #expect(image.isHalves)
    }
  }

  @Test func smallPicture_isNotEnlarged_andAWideOneIsCropped() throws {
    #expect(try decode(halves(30, 30), side: 200).width == 30)
    let wide = try decode(jpeg(640, 200), side: 100)
    #expect(wide.width == 100 && wide.height == 100 && wide.isHalves)
    #expect(try decode(halves(1, 1), side: 1).width == 1)
    #expect(try decode(halves(2000, 1), side: 100).height == 1)
  }

  @Test func unscaledPicture_isUnchanged() throws {
    var picture = GeneratedPNG(13, 13) { x, y in
      [UInt8(x * 19), UInt8(y * 19), UInt8(x ^ y), 255]
    }
    var expected: [UInt8] = []
    for y in 0..<13 {
      for x in 0..<13 { expected += [UInt8(x ^ y), UInt8(y * 19), UInt8(x * 19), 255] }
    }
    #expect(try decode(picture.bytes, side: 13).bytes == expected)
    picture.isInterlaced = true
    #expect(try decode(picture.bytes, side: 13).bytes == expected)
  }

  /// Three pixels become two: each target pixel covers one and a half pixels of the source.
  @Test func scaledPixel_isTheMeanOfItsArea() throws {
    let levels: [UInt8] = [0, 90, 255]
    let picture = GeneratedPNG(3, 3) { x, y in [levels[x], levels[y], 255, 255] }
    let scaled = try decode(picture.bytes, side: 2)
    // (0 + 90/2) / 1.5 = 30, and (90/2 + 255) / 1.5 = 200.
    #expect(scaled.pixel(0, 0) == [255, 30, 30, 255])
    #expect(scaled.pixel(1, 0) == [255, 30, 200, 255])
    #expect(scaled.pixel(0, 1) == [255, 200, 30, 255])
    #expect(scaled.pixel(1, 1) == [255, 200, 200, 255])
  }

  @Test func transparentCover_isPutOnWhite_andAShapeKeepsItsAlpha() throws {
    let picture = GeneratedPNG(20, 10) { _, _ in [200, 100, 0, 128] }
    // 200 × 128/255 + 255 × 127/255 = 227.4
    #expect(try decode(picture.bytes, side: 20).pixel(5, 5) == [127, 177, 227, 255])
    let shape = try decode(picture.bytes, .shape, side: 10)
    #expect(shape.width == 10 && shape.height == 5)
    #expect(shape.pixel(5, 2) == [0, 50, 100, 128])
  }

  @Test func trailingBytes_areIgnored() throws {
    var bytes = try jpeg(100, 100)
    bytes.insert(contentsOf: [1, 2, 3, 4], at: bytes.count - 2)
    #expect(try decode(bytes, side: 100).isHalves)
    #expect(try decode(bytes + [9, 9, 9], side: 100).isHalves)
    #expect(try decode(halves(100, 100) + [9, 9, 9], side: 100).isHalves)
  }

  // MARK: Hostile

  @Test func otherData_isRefused() throws {
    for (bytes, reason): ([UInt8], DecodingError) in [
      ([], .unknownFormat), ([0xFF], .unknownFormat), ([0xFF, 0xD8, 0xFF], .damaged),
      (Array("GIF89a".utf8), .unknownFormat),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .damaged),
      ([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0xFF, count: 100_000), .damaged),
    ] {
      #expect(throws: reason) { try decode(bytes, side: 100) }
    }
  }

  @Test func truncatedOrChangedFile_givesAnErrorOrAPicture() throws {
    var random = SystemRandomNumberGenerator()
    for bytes in [halves(80, 80), try jpeg(80, 80), try jpeg(80, 80, TJFLAG_PROGRESSIVE)] {
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
        _ = try? decode(Array(bytes[..<length]), side: 64)
      }
      for _ in 0..<150 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          changed[Int.random(in: 0..<changed.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        if let image = try? decode(changed, side: 64) {
          #expect(image.width <= 64 && image.height <= 64)
        }
      }
      #expect(throws: DecodingError.damaged, "half of a file is not a cover") {
        try decode(Array(bytes[..<(bytes.count / 2)]), side: 64)
      }
    }
  }

  @Test func hugeDeclaredSize_isRefused() throws {
    let bomb = GeneratedPictures.png(0x7FFF_FFFF, 0x7FFF_FFFF)
    #expect(throws: DecodingError.tooLarge) { try decode(bomb, side: 64) }

    var frame = try jpeg(8, 8)
    let start = try #require(
      frame.indices.dropLast().first { frame[$0] == 0xFF && frame[$0 + 1] == 0xC0 })
    for offset in 5...8 { frame[start + offset] = 0x7F }
    #expect(throws: DecodingError.tooLarge) { try decode(frame, side: 64) }
  }

  @Test func tooManyScans_areRefused() throws {
    let bytes = try jpeg(64, 64, TJFLAG_PROGRESSIVE)
    let scan = try #require(
      bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let repeated =
      Array(bytes[..<scan])
      + Array(repeatElement(Array(bytes[scan...].dropLast(2)), count: 60).joined())
    #expect(throws: DecodingError.tooLarge) { try decode(repeated, side: 64) }
  }

  @Test func pictureThatNeedsTooMuchMemory_isRefused() throws {
    var limits = DecodingLimits()
    limits.heldBytes = 64 * 64 * 4 - 1
    var interlaced = GeneratedPNG.halves(64, 64)
    interlaced.isInterlaced = true
    #expect(throws: DecodingError.tooLarge) {
      try decode(interlaced.bytes, side: 8, limits: limits)
    }
    #expect(throws: DecodingError.tooLarge) {
      try decode(jpeg(64, 64, TJFLAG_PROGRESSIVE), side: 8, limits: limits)
    }
    #expect(try decode(halves(64, 64), side: 8, limits: limits).isHalves, "needs one row")
    limits.bytes = 10
    #expect(throws: DecodingError.tooLarge) { try decode(halves(64, 64), side: 64, limits: limits) }
  }
}
