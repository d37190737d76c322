package import ScreenLayout

/// Shows pictures and reports touches. A display is a panel, a window, or memory.
///
/// - Thread: the thread of the event loop with which the display was created. No method waits for a
///   refresh. A picture that arrives while another is pending is shown with the next refresh.
package protocol Display: AnyObject {
  /// The size of the picture as it is seen, after rotation. Valid between ``onReady`` and
  /// ``onLost``; before ``onReady`` it is the expected size.
  var size: PixelSize { get }
  /// The physical size that the panel reports, in millimetres. Width and height are those after
  /// rotation. Nil if the panel reports no size. The values may be wrong. `Panel` decides whether
  /// to use them.
  var millimetres: (width: Double, height: Double)? { get }
  /// True while a display is available.
  var isReady: Bool { get }

  /// Looks for a display until one is found. Calls no callback before it returns. May be called
  /// once.
  func start()

  /// Shows a picture of ``size``.
  ///
  /// Copies the needed pixels before it returns. Has no effect while there is no display:
  /// ``onReady`` requests the whole picture later.
  /// - Parameter damage: rectangles without overlaps, inside the picture, that contain all
  ///   differences from the picture before. After ``onReady`` and ``onResize`` the damage must be
  ///   the whole picture.
  func present(_ picture: Picture, damage: [PixelRect])

  /// A display is available (again) and needs a whole picture.
  var onReady: (() -> Void)? { get set }
  /// The size or the millimetres have changed. The display needs a whole picture.
  var onResize: (() -> Void)? { get set }
  /// Called when the display was unplugged or is used by another program. The owner cancels all
  /// touches.
  var onLost: (() -> Void)? { get set }
  /// Called when a presented picture is visible. This is after the flip, or after the copy if the
  /// display does not report flips.
  var onShown: (() -> Void)? { get set }
  /// A finger or the pointer.
  var onPointer: ((PointerEvent) -> Void)? { get set }
  /// Called when a knob or an arrow key is used, if the display's own input has them.
  var onFocus: ((FocusEvent) -> Void)? { get set }
  /// Called with each line for the log.
  var onLog: ScreenEvent.Log? { get set }
}

/// Pixels that are valid during a call only.
package struct Picture {
  /// `stride * size.height` bytes, rows from the top. A pixel is blue, green, red and one unused
  /// byte (XRGB8888 as a 32-bit word; the machine is little-endian).
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Bytes from one row to the next; at least four for each pixel.
  package let stride: Int
  /// In pixels.
  package let size: PixelSize

  /// - Precondition: `stride` and `bytes` are large enough for `size`.
  package init(bytes: UnsafeBufferPointer<UInt8>, stride: Int, size: PixelSize) {
    precondition(stride >= size.width * 4 && bytes.count >= stride * size.height)
    self.bytes = bytes
    self.stride = stride
    self.size = size
  }
}

/// An action of a finger or of a button of a pointer. Positions are in pixels of the rotated
/// picture and may lie outside of the picture. The input device gives the times, which are times of
/// CLOCK_MONOTONIC.
package enum PointerEvent: Hashable, Sendable {
  /// Identifies a finger. 0 is a pointer with buttons. An identifier is reused after its finger is
  /// lifted.
  package typealias ID = Int

  case down(ID, x: Int, y: Int, at: Duration)
  case move(ID, x: Int, y: Int, at: Duration)
  case up(ID, x: Int, y: Int, at: Duration)
  /// A mouse moves without a pressed button. The screen draws the pointer, which is not visible
  /// otherwise.
  case hover(x: Int, y: Int, at: Duration)
  /// The touch is not valid, because it was a palm or because the device was removed.
  case cancel(ID, at: Duration)
}

/// An action of a knob or of the arrow keys.
package enum FocusEvent: Hashable, Sendable {
  /// One step through all controls.
  case next, previous
  /// To the nearest control in a direction.
  case left, right, up, down
  /// Activates the focused control.
  case activate
  /// Closes a list.
  case back
}
