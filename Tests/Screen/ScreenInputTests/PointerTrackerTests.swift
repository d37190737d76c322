import ScreenDisplay
import ScreenLayout
import Testing

@testable import ScreenInput

@Suite struct PointerTrackerTests {
  private let size = PixelSize(width: 800, height: 480)

  @Test func finger_isDown_moves_andIsUpAtItsLastPosition() {
    var tracker = PointerTracker(size, .none)
    #expect(
      tracker.finger(0, x: 0.5, y: 0.5, at: .seconds(1))
        == .down(1, x: 400, y: 240, at: .seconds(1)))
    #expect(
      tracker.finger(0, x: 0.25, y: 0.5, at: .seconds(2))
        == .move(1, x: 200, y: 240, at: .seconds(2)))
    // A change of less than a pixel is not a move.
    #expect(tracker.finger(0, x: 0.2501, y: 0.5, at: .seconds(3)) == nil)
    #expect(tracker.lift(0, at: .seconds(4)) == .up(1, x: 200, y: 240, at: .seconds(4)))
    #expect(tracker.lift(0, at: .seconds(5)) == nil)
  }

  @Test func fingers_keepTheirNumbersBesideThePointer() {
    var tracker = PointerTracker(size, .none)
    _ = tracker.point(x: 0.1, y: 0.1, at: .zero)
    #expect(tracker.press(true, at: .zero) == .down(0, x: 80, y: 48, at: .zero))
    #expect(tracker.finger(0, x: 0, y: 0, at: .zero) == .down(1, x: 0, y: 0, at: .zero))
    #expect(tracker.finger(3, x: 1, y: 1, at: .zero) == .down(4, x: 799, y: 479, at: .zero))
    #expect(tracker.press(false, at: .zero) == .up(0, x: 80, y: 48, at: .zero))
  }

  @Test func pointerThatIsNotPressed_reportsOnlyTheHoverOfAMouse() {
    var tracker = PointerTracker(size, .none)
    #expect(tracker.point(x: 0.9, y: 0.9, at: .zero) == nil)
    #expect(tracker.move(x: -20, y: 8, at: .zero) == .hover(x: 700, y: 440, at: .zero))
    #expect(tracker.move(x: -1000, y: -1000, at: .zero) == .hover(x: 0, y: 0, at: .zero))
    #expect(tracker.press(true, at: .zero) == .down(0, x: 0, y: 0, at: .zero))
    #expect(tracker.press(true, at: .zero) == nil)
    #expect(tracker.move(x: 400, y: 10, at: .zero) == .move(0, x: 400, y: 10, at: .zero))
  }

  @Test func removedDevice_cancelsItsPresses() {
    var tracker = PointerTracker(size, .none)
    _ = tracker.finger(1, x: 0.5, y: 0.5, at: .zero)
    _ = tracker.press(true, at: .zero)
    #expect(tracker.cancelAll(at: .zero) == [.cancel(2, at: .zero), .cancel(0, at: .zero)])
    #expect(tracker.cancelAll(at: .zero).isEmpty)
    #expect(tracker.lift(1, at: .zero) == nil)
  }

  @Test func touch_isRotatedWithThePicture() {
    // An upright picture of 480 × 800 on a panel that is mounted sideways.
    var tracker = PointerTracker(PixelSize(width: 480, height: 800), .right)
    // The upper right corner of the panel is the upper left corner of the picture.
    #expect(tracker.finger(0, x: 1, y: 0, at: .zero) == .down(1, x: 0, y: 0, at: .zero))
    // A movement of the mouse to the right on the panel is a movement up in the picture.
    _ = tracker.point(x: 0.5, y: 0.5, at: .zero)
    _ = tracker.press(true, at: .zero)
    #expect(tracker.move(x: 80, y: 0, at: .zero) == .move(0, x: 240, y: 320, at: .zero))
  }

  @Test func pointsBeyondThePanel_areAtItsEdge() {
    var tracker = PointerTracker(size, .around)
    #expect(tracker.finger(0, x: -3, y: 7, at: .zero) == .down(1, x: 799, y: 0, at: .zero))
    #expect(
      tracker.finger(0, x: .infinity, y: -.infinity, at: .zero) == .move(1, x: 0, y: 479, at: .zero)
    )
  }
}
