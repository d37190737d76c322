import ScreenLayout
import Testing

@testable import KMSDisplay

@Suite struct RegionTests {
  @Test func containedRectangle_isNotStored() {
    var region = Region()
    region.add(PixelRect(x: 10, y: 10, width: 5, height: 5))
    region.add(PixelRect(x: 0, y: 0, width: 100, height: 100))
    region.add(PixelRect(x: 20, y: 20, width: 5, height: 5))
    #expect(region.rects == [PixelRect(x: 0, y: 0, width: 100, height: 100)])
  }

  @Test func emptyRectangle_isNotStored() {
    var region = Region()
    region.add(PixelRect(x: 10, y: 10, width: 0, height: 5))
    #expect(region.isEmpty)
  }

  @Test func manyRectangles_areJoined_andCoverAll() {
    var region = Region()
    let all = (0..<100).map { PixelRect(x: $0 * 7, y: $0 * 3, width: 5, height: 2) }
    for rect in all {
      region.add(rect)
      #expect(region.rects.count <= 12)
    }
    for rect in all { #expect(region.rects.contains { $0.contains(rect) }) }
  }
}
