import ScreenLayout
import Testing

@testable import ScreenPainter

@Suite struct IconTests {
  /// The coverage of each pixel of a mask (0 to 255), row by row.
  private func coverage(_ mask: Surface) -> [UInt8] {
    mask.withBytes { bytes, stride in
      (0..<mask.height).flatMap { y in (0..<mask.width).map { bytes[y * stride + $0] } }
    }
  }

  @Test func everyIcon_isDrawnInItsBox_andIsUnique() {
    var icons = IconCache()
    var seen: [[UInt8]: Symbol] = [:]
    for symbol in Symbol.allCases {
      let side = 48
      let mask = coverage(icons.mask(symbol, label: nil, isMirrored: false, side: side))
      let inked = mask.filter { $0 > 128 }.count
      #expect(inked > 60, "\(symbol) has too few pixels")
      #expect(inked < side * side * 2 / 3, "\(symbol) has too many pixels")
      for index in 0..<side {
        let edges = [index, (side - 1) * side + index, index * side, index * side + side - 1]
        #expect(edges.allSatisfy { mask[$0] == 0 }, "\(symbol) touches the edge of its box")
      }
      #expect(seen.updateValue(symbol, forKey: mask) == nil, "\(symbol)")
    }
  }

  @Test func mirroredIcon_isReversed() {
    var icons = IconCache()
    let side = 40
    let plain = coverage(icons.mask(.next, label: nil, isMirrored: false, side: side))
    let mirrored = coverage(icons.mask(.next, label: nil, isMirrored: true, side: side))
    for y in 0..<side {
      for x in 0..<side {
        let (a, b) = (plain[y * side + x], mirrored[y * side + side - 1 - x])
        #expect(abs(Int(a) - Int(b)) <= 24, "curves may be rounded differently")
      }
    }
  }

  @Test func skipIcon_containsItsSeconds() {
    var icons = IconCache()
    let empty = coverage(icons.mask(.skipForward, label: nil, isMirrored: false, side: 48))
    let labelled = coverage(icons.mask(.skipForward, label: "15", isMirrored: false, side: 48))
    #expect(empty != labelled)
  }

  // MARK: Pictures of the source

  private func mask(_ path: String) throws -> [UInt8] {
    coverage(try SourcePicture(svgPath: path).mask(side: 24))
  }

  @Test func svgPath_inAnyNotation_isDrawn() throws {
    let square = try mask("M4 4H20V20H4Z")
    #expect(square[12 * 24 + 12] == 255)
    #expect(square[2 * 24 + 2] == 0)
    for same in [
      "m4,4h16v16h-16z", "M 4 4 L 20 4 20 20 4 20 Z", "M4-0m0 4l16,0 0,16-16,0z",
      "M4e0 4.0H+20V20H4z",
    ] {
      #expect(try mask(same) == square, "\(same)")
    }
    let circle = try mask("M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z")
    #expect(circle[12 * 24 + 12] == 255)
    #expect(circle[1] == 0)
    #expect(try mask("M12 2a10 10 0 110 20a10 10 0 110-20z") == circle, "flags without spaces")
    #expect(try mask("M2 12C2 2 22 2 22 12S2 22 2 12z").contains(255))
    #expect(try mask("M2 12Q12 2 22 12T2 12z").contains { $0 > 0 })
  }

  @Test func invalidSVGPath_isRefused() {
    for path in [
      "H4", "M", "M1", "M 1 2 L", "M 1 2 X 3 4", "M1 2L3 nan", "<svg/>", "M1 1e999", "M0 0L1e9 0",
      "M0 0A1 1 0 2 0 1 1",
    ] {
      #expect(throws: VectorPath.ParseError.self, "\(path)") { try VectorPath(path) }
    }
    #expect(throws: VectorPath.ParseError.outOfBounds) {
      try VectorPath("M0 0" + String(repeating: "l1 1", count: 5000))
    }
    #expect(throws: VectorPath.ParseError.outOfBounds) {
      try VectorPath(String(repeating: " ", count: 100_000))
    }
    #expect(throws: Never.self) { try VectorPath("") }
  }

  @Test func unknownName_isDrawnAsALetter_andTheCacheIsBounded() {
    let pictures = Painter(size: PixelSize(width: 64, height: 64)).pictures
    let first = coverage(pictures.mask("quiet", side: 32))
    #expect(first.contains { $0 > 128 })
    for index in 0..<500 { _ = pictures.mask("\(index)", side: 32) }
    #expect(coverage(pictures.mask("quiet", side: 32)) == first)
    #expect(coverage(pictures.mask("", side: 32)).contains { $0 > 128 })
  }
}
