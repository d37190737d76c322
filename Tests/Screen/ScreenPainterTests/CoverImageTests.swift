import CPango
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

  /// A cover from the pixels of a surface.
  private func cover(_ surface: Surface) throws -> CoverImage {
    try #require(
      surface.withBytes { bytes, _ in
        CoverImage(
          width: surface.width, height: surface.height, pixels: UnsafeRawBufferPointer(bytes))
      })
  }

  @Test func pixels_areCopied_andColoursAreExtracted() throws {
    let image = try cover(halves(400, 300))
    #expect(image.width == 400 && image.height == 300)
    #expect(image.colors != .neutral)
    image.surface.withBytes { bytes, stride in
      // The bytes of a pixel are blue, green and red, in this order.
      #expect(Array(bytes[(299 * stride)...].prefix(3)) == [0x20, 0x20, 0xC0])
      #expect(Array(bytes[(299 * stride + 399 * 4)...].prefix(3)) == [0xC0, 0x20, 0x20])
    }
  }

  @Test func sizeThatDoesNotMatchThePixels_isRefused() {
    let bytes = [UInt8](repeating: 0, count: 400)
    bytes.withUnsafeBytes { pixels in
      #expect(CoverImage(width: 10, height: 10, pixels: pixels) != nil)
      for (width, height) in [(0, 1), (1, 0), (-1, 1), (10, 11), (4097, 1), (1, Int.max)] {
        #expect(CoverImage(width: width, height: height, pixels: pixels) == nil)
        #expect(SourcePicture(width: width, height: height, pixels: pixels) == nil)
      }
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

  @Test func alphaOfAButton_isUsedAsAMask() throws {
    let surface = Surface(.alpha, width: 48, height: 48)
    surface.draw { pen in
      pen.color(RGB(0x00FF00))
      cairo_rectangle(pen.cairo, 12, 12, 24, 24)
      pen.fill()
    }
    let picture = surface.withBytes { bytes, _ in
      SourcePicture(width: 48, height: 48, pixels: UnsafeRawBufferPointer(bytes))
    }
    let mask = try #require(picture).mask(side: 24)
    mask.withBytes { bytes, stride in
      #expect(bytes[12 * stride + 12] > 250, "the mask does not depend on the colour")
      #expect(bytes[2 * stride + 2] == 0)
    }
  }
}
