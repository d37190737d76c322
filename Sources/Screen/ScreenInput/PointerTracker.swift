internal import ScreenDisplay
internal import ScreenLayout

/// Tracks fingers and a pointer, as a value without I/O. Converts positions on a panel to events with positions in the
/// picture.
struct PointerTracker {
  /// The size of the picture, after rotation.
  var size: PixelSize
  let rotation: Rotation

  private var fingers: [PointerEvent.ID: PixelPoint] = [:]
  /// The position of the pointer, as fractions of the panel.
  private var pointer = (x: 0.5, y: 0.5)
  private var isPressed = false

  init(_ size: PixelSize, _ rotation: Rotation) {
    self.size = size
    self.rotation = rotation
  }

  /// Handles a new position of a finger, in fractions of the panel. Returns nil if the finger is still at the same
  /// pixel.
  mutating func finger(
    _ slot: Int, x: Double, y: Double, at moment: Duration
  ) -> PointerEvent? {
    // The pointer has the identifier 0, so the identifiers of fingers begin at 1.
    let id = slot + 1
    let point = point(x, y)
    let before = fingers.updateValue(point, forKey: id)
    if before == point { return nil }
    return before == nil
      ? .down(id, x: point.x, y: point.y, at: moment)
      : .move(id, x: point.x, y: point.y, at: moment)
  }

  mutating func lift(_ slot: Int, at moment: Duration) -> PointerEvent? {
    fingers.removeValue(forKey: slot + 1).map { .up(slot + 1, x: $0.x, y: $0.y, at: moment) }
  }

  mutating func cancel(_ slot: Int, at moment: Duration) -> PointerEvent? {
    fingers.removeValue(forKey: slot + 1).map { _ in .cancel(slot + 1, at: moment) }
  }

  /// Cancels all touches, because a device was removed.
  mutating func cancelAll(at moment: Duration) -> [PointerEvent] {
    var events = fingers.keys.sorted().map { PointerEvent.cancel($0, at: moment) }
    fingers = [:]
    if isPressed {
      isPressed = false
      events.append(.cancel(0, at: moment))
    }
    return events
  }

  /// Sets the position of the pointer, in fractions of the panel. Returns an event only while the button is pressed.
  mutating func point(x: Double, y: Double, at moment: Duration) -> PointerEvent? {
    pointer = (min(max(x, 0), 1), min(max(y, 0), 1))
    guard isPressed else { return nil }
    let point = point(pointer.x, pointer.y)
    return .move(0, x: point.x, y: point.y, at: moment)
  }

  /// Moves the pointer by a distance in pixels of the panel. Only a relative movement causes a `hover` event, after
  /// which the screen draws the pointer. A device with absolute positions needs no drawn pointer.
  mutating func move(x: Double, y: Double, at moment: Duration) -> PointerEvent? {
    let panel = rotation.turned(size)
    let moved = point(
      x: pointer.x + x / Double(panel.width), y: pointer.y + y / Double(panel.height), at: moment)
    if let moved { return moved }
    let point = point(pointer.x, pointer.y)
    return .hover(x: point.x, y: point.y, at: moment)
  }

  mutating func press(_ isDown: Bool, at moment: Duration) -> PointerEvent? {
    guard isDown != isPressed else { return nil }
    isPressed = isDown
    let point = point(pointer.x, pointer.y)
    return isDown
      ? .down(0, x: point.x, y: point.y, at: moment) : .up(0, x: point.x, y: point.y, at: moment)
  }

  /// Converts a position on the panel to a pixel of the picture. Limits the position to the panel, because a touch
  /// screen can report a finger beyond its edge.
  private func point(_ x: Double, _ y: Double) -> PixelPoint {
    let (x, y) = rotation.inPicture(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
    return PixelPoint(
      x: min(Int(x * Double(size.width)), size.width - 1),
      y: min(Int(y * Double(size.height)), size.height - 1))
  }
}
