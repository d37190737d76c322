import Testing

@testable import ScreenLayout

/// Tests the list of the keys that work in a window on a desktop.
@Suite struct WindowKeysLayoutTests {
  @Test(arguments: [(320, 240), (480, 320), (800, 480), (480, 800), (1280, 480), (4096, 4096)])
  func scene_anySize_hasEachTextInsideTheScreenAndUncut(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let measure = FixedWidthMeasure()
    let scene = WindowKeysLayout.scene(Panel(size: size), measure: measure)
    #expect(scene.size == size)
    #expect(scene.elements.count > 10)
    for element in scene.elements {
      let frame = element.frame
      #expect(frame.intersection(PixelRect(size)) == frame, "\(element.id)")
      guard case .text(let run) = element.content else {
        Issue.record("\(element.id) is not a text")
        continue
      }
      let extent = measure.extent(of: run.text, style: run.style, width: nil, lines: 1)
      #expect(extent.width <= run.layoutWidth, "\(run.text)")
    }
  }
}
