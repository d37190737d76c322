import ScreenDisplay
import ScreenLayout
import Testing

@Suite struct RotationTests {
  /// A picture of three by two pixels. The tests name the corners of the picture as a user sees the picture.
  private let picture = PixelSize(width: 3, height: 2)

  private func corner(_ x: Int, _ y: Int, _ rotation: Rotation) -> PixelRect {
    rotation.onPanel(PixelRect(x: x, y: y, width: 1, height: 1), of: picture)
  }

  @Test func upperLeftCorner_isAtItsRotatedPosition() {
    #expect(corner(0, 0, .none) == PixelRect(x: 0, y: 0, width: 1, height: 1))
    #expect(corner(0, 0, .right) == PixelRect(x: 1, y: 0, width: 1, height: 1))
    #expect(corner(0, 0, .around) == PixelRect(x: 2, y: 1, width: 1, height: 1))
    #expect(corner(0, 0, .left) == PixelRect(x: 0, y: 2, width: 1, height: 1))
  }

  @Test(arguments: Rotation.allCases)
  func touchInTheMiddleOfAPixel_findsThatPixel(_ rotation: Rotation) {
    let panel = rotation.turned(picture)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let point = corner(x, y, rotation)
        let found = rotation.inPicture(
          x: (Double(point.x) + 0.5) / Double(panel.width),
          y: (Double(point.y) + 0.5) / Double(panel.height))
        #expect(Int(found.x * Double(picture.width)) == x)
        #expect(Int(found.y * Double(picture.height)) == y)
      }
    }
  }

  @Test(arguments: Rotation.allCases)
  func wholePicture_isTheWholePanel(_ rotation: Rotation) {
    #expect(
      rotation.onPanel(PixelRect(picture), of: picture) == PixelRect(rotation.turned(picture)))
  }
}
