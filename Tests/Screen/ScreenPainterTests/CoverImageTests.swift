import CPango
import CTurboJPEG
import Foundation
import ScreenLayout
import Testing

@testable import ScreenPainter

@Suite struct CoverImageTests {
  /// A picture whose left half is red and whose right half is blue.
  private func halves(_ width: Int, _ height: Int) -> Surface {
    let surface = Surface(.opaque, width: width, height: height)
    surface.draw { pen in
      pen.color(RGB(0xC02020))
      cairo_paint(pen.cairo)
      pen.color(RGB(0x2020C0))
      cairo_rectangle(pen.cairo, Double(width) / 2, 0, Double(width), Double(height))
      pen.fill()
    }
    return surface
  }

  private func png(_ surface: Surface) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "autoharp-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    try surface.writePNG(to: file.path)
    return [UInt8](try Data(contentsOf: file))
  }

  private func jpeg(_ surface: Surface, _ flags: Int32 = 0) throws -> [UInt8] {
    let encoder = try #require(tjInitCompress())
    defer { tjDestroy(encoder) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let code = surface.withBytes { bytes, stride in
      tjCompress2(
        encoder, bytes.baseAddress, Int32(surface.width), Int32(stride), Int32(surface.height),
        Int32(TJPF_BGRX.rawValue), &buffer, &size, Int32(TJSAMP_444.rawValue), 90, flags)
    }
    try #require(code == 0)
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private func pixel(_ image: CoverImage, _ x: Int, _ y: Int) -> (red: Int, blue: Int) {
    image.surface.withBytes { bytes, stride in
      (Int(bytes[y * stride + x * 4 + 2]), Int(bytes[y * stride + x * 4]))
    }
  }

  private func isHalves(_ image: CoverImage) -> Bool {
    let left = pixel(image, image.width / 4, image.height / 2)
    let right = pixel(image, image.width * 3 / 4, image.height / 2)
    return left.red > 160 && left.blue < 90 && right.red < 90 && right.blue > 160
  }

  @Test func jpegAndPNG_areDecodedAtTheirDisplayedSize() throws {
    for bytes in [
      try png(halves(1000, 1000)), try jpeg(halves(1000, 1000)),
      try jpeg(halves(1000, 1000), TJFLAG_PROGRESSIVE),
    ] {
      let image = try CoverImage(bytes, side: 200)
      #expect(image.width == 200)
      #expect(image.height == 200)
      #expect(isHalves(image))
    }
  }

  @Test func smallPicture_isNotEnlarged_andAWideOneIsCropped() throws {
    #expect(try CoverImage(png(halves(30, 30)), side: 200).width == 30)
    let wide = try CoverImage(jpeg(halves(640, 200)), side: 100)
    #expect(wide.width == 100)
    #expect(wide.height == 100)
    #expect(isHalves(wide))
    #expect(try CoverImage(png(halves(1, 1)), side: 1).width == 1)
    #expect(try CoverImage(png(halves(2000, 1)), side: 100).height == 1)
  }

  @Test func transparentPicture_isDrawnOnWhite() throws {
    let clear = Surface(.alpha, width: 20, height: 20)
    #expect(pixel(try CoverImage(png(clear), side: 20), 10, 10).red == 255)
  }

  @Test func colours_areExtracted() throws {
    let image = try CoverImage(jpeg(halves(400, 400)), side: 100)
    #expect(image.colors != .neutral)
  }

  @Test func trailingBytes_areIgnored() throws {
    var bytes = try jpeg(halves(100, 100))
    bytes.insert(contentsOf: [1, 2, 3, 4], at: bytes.count - 2)
    #expect(isHalves(try CoverImage(bytes, side: 100)))
    #expect(isHalves(try CoverImage(bytes + [9, 9, 9], side: 100)))
  }

  // MARK: Hostile

  @Test func otherData_isRefused() {
    let texts: [[UInt8]] = [
      [], [0xFF], [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8),
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
      [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0xFF, count: 100_000),
    ]
    for bytes in texts {
      #expect(throws: ImageDecodingError.self) { try CoverImage(bytes, side: 100) }
    }
  }

  @Test func truncatedOrChangedFile_givesAnErrorOrAPicture() throws {
    var random = SystemRandomNumberGenerator()
    for bytes in [
      try png(halves(80, 80)), try jpeg(halves(80, 80)),
      try jpeg(halves(80, 80), TJFLAG_PROGRESSIVE),
    ] {
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
        _ = try? CoverImage(Array(bytes[..<length]), side: 64)
      }
      for _ in 0..<150 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          changed[Int.random(in: 0..<changed.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        if let image = try? CoverImage(changed, side: 64) {
          #expect(image.width <= 64 && image.height <= 64)
        }
      }
      #expect(throws: ImageDecodingError.damaged, "half of a file is no cover") {
        try CoverImage(Array(bytes[..<(bytes.count / 2)]), side: 64)
      }
    }
  }

  @Test func hugeDeclaredSize_isRefused() throws {
    var bomb = try png(halves(8, 8))
    for (offset, value) in [(16, 0x7FFF_FFFF), (20, 0x7FFF_FFFF)] {
      for byte in 0..<4 { bomb[offset + byte] = UInt8(value >> (24 - byte * 8) & 255) }
    }
    #expect(throws: ImageDecodingError.tooLarge) { try CoverImage(bomb, side: 64) }

    var frame = try jpeg(halves(8, 8))
    let start = try #require(
      frame.indices.dropLast().first { frame[$0] == 0xFF && frame[$0 + 1] == 0xC0 })
    for offset in 5...8 { frame[start + offset] = 0x7F }
    #expect(throws: ImageDecodingError.tooLarge) { try CoverImage(frame, side: 64) }
  }

  @Test func tooManyScans_areRefused() throws {
    let bytes = try jpeg(halves(64, 64), TJFLAG_PROGRESSIVE)
    let scan = try #require(
      bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let repeated =
      Array(bytes[..<scan])
      + Array(repeatElement(Array(bytes[scan...].dropLast(2)), count: 60).joined())
    #expect(throws: ImageDecodingError.tooLarge) { try CoverImage(repeated, side: 64) }
  }

  @Test func pngAboveTheLimits_isRefused() throws {
    var limits = DecodingLimits()
    limits.milliseconds = 0
    #expect(throws: ImageDecodingError.tookTooLong) {
      try CoverImage(png(halves(64, 64)), side: 64, limits: limits)
    }
    limits = DecodingLimits()
    limits.bytes = 10
    #expect(throws: ImageDecodingError.tooLarge) {
      try CoverImage(png(halves(64, 64)), side: 64, limits: limits)
    }
  }

  // MARK: Keeping

  @Test func coverCache_isBounded_andRemovesTheOldest() throws {
    let pictures = Painter(size: PixelSize(width: 64, height: 64)).pictures
    let image = CoverImage.placeholder(seed: "x", side: 1000)
    for index in 0..<20 { pictures.set(image, for: "\(index)") }
    #expect(pictures.colors(of: "19") != nil)
    #expect(pictures.colors(of: "0") == nil)
    let kept = (0..<20).filter { pictures.colors(of: "\($0)") != nil }.count
    #expect(kept * image.byteCount <= Pictures.keptBytes)
    pictures.forget("19")
    #expect(pictures.colors(of: "19") == nil)
  }

  @Test func pngOfAButton_isUsedAsAMask() throws {
    let surface = Surface(.alpha, width: 48, height: 48)
    surface.draw { pen in
      pen.color(RGB(0x00FF00))
      cairo_rectangle(pen.cairo, 12, 12, 24, 24)
      pen.fill()
    }
    let mask = try SourcePicture(png: png(surface)).mask(side: 24)
    mask.withBytes { bytes, stride in
      #expect(bytes[12 * stride + 12] > 250, "in any colour")
      #expect(bytes[2 * stride + 2] == 0)
    }
    #expect(throws: ImageDecodingError.self) { try SourcePicture(png: [1, 2, 3]) }
  }
}
