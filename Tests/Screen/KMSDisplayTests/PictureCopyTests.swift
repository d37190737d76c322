import ScreenDisplay
import ScreenLayout
import Testing

@testable import KMSDisplay

@Suite struct PictureCopyTests {
  /// The copy works in stripes of 16 pixels. This size is larger than a stripe and is not a multiple of 16.
  private let size = PixelSize(width: 37, height: 21)
  private let stride = 37 * 4 + 12

  /// Copies rectangles of a picture with unique pixels to the buffer of a panel, which contains zeros. Then checks each
  /// pixel of the buffer.
  private func check(_ rects: [PixelRect], _ rotation: Rotation) {
    let pixels = (0..<size.height * stride / 4).map { UInt32(truncatingIfNeeded: $0 + 1) }
    let panel = rotation.turned(size)
    let panelStride = panel.width * 4 + 8
    var memory = [UInt32](repeating: 0, count: panelStride / 4 * panel.height)
    pixels.withUnsafeBytes { bytes in
      let picture = Picture(
        bytes: bytes.bindMemory(to: UInt8.self), stride: stride, size: size)
      memory.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        let buffer = Framebuffer(bytes: base, stride: panelStride, size: panel)
        for rect in rects { copy(rect, of: picture, to: buffer, turned: rotation) }
      }
    }
    var expected = [UInt32](repeating: 0, count: memory.count)
    for y in 0..<size.height {
      for x in 0..<size.width
      where rects.contains(where: { $0.contains(PixelPoint(x: x, y: y)) }) {
        let point = rotation.onPanel(PixelRect(x: x, y: y, width: 1, height: 1), of: size)
        expected[point.y * panelStride / 4 + point.x] = pixels[y * stride / 4 + x]
      }
    }
    #expect(memory == expected)
  }

  @Test(arguments: Rotation.allCases)
  func copyOfEverything_copiesEachPixel(_ rotation: Rotation) {
    check([PixelRect(size)], rotation)
  }

  @Test(arguments: Rotation.allCases)
  func copyOfParts_changesNothingElse(_ rotation: Rotation) {
    check(
      [
        PixelRect(x: 3, y: 2, width: 20, height: 1), PixelRect(x: 30, y: 4, width: 1, height: 17),
        PixelRect(x: 5, y: 9, width: 18, height: 8),
      ], rotation)
  }

  @Test(arguments: Rotation.allCases)
  func copyBeyondThePicture_isClipped(_ rotation: Rotation) {
    check([PixelRect(x: -5, y: -5, width: 1000, height: 10)], rotation)
    check([PixelRect(x: 36, y: 20, width: 9, height: 9)], rotation)
    check([PixelRect(x: 100, y: 100, width: 9, height: 9)], rotation)
  }
}
