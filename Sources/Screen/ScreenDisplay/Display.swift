package import ScreenLayout

/// Shows pictures and reports touches. A display is a panel, a window, or memory.
///
/// - Thread: the thread of the event loop with which the display was created. No method waits for a refresh. If a
///   picture arrives while another picture is pending, the newer picture is shown at the following refresh.
package protocol Display: AnyObject {
  /// The size of the picture as it is seen, after rotation. Valid between ``onReady`` and ``onLost``; before
  /// ``onReady`` it is the expected size.
  var size: PixelSize { get }
  /// The physical size that the panel reports, in millimetres. Width and height apply after rotation. Nil if the panel
  /// reports no size. Some panels report wrong values, so `Panel` decides whether to use them.
  var millimetres: (width: Double, height: Double)? { get }
  /// True while a display is available.
  var isReady: Bool { get }

  /// Starts the search for a display. The search continues until a display is found. This method returns before the
  /// first callback is called. It must be called only once.
  func start()

  /// Shows a picture of ``size``.
  ///
  /// Copies the needed pixels before it returns. Has no effect while no display is available. When a display is
  /// available again, ``onReady`` requests the whole picture.
  /// - Parameter damage: rectangles inside the picture, without overlaps. They contain all differences from the
  ///   previous picture. After ``onReady`` and ``onResize`` the damage must be the whole picture.
  func present(_ picture: Picture, damage: [PixelRect])

  /// True if the brightness can be set. Can become true later, when the kernel reports a backlight.
  var hasBacklight: Bool { get }

  /// Sets the perceived brightness, in per cent. Has no effect without a backlight.
  func setBrightness(_ percent: Int)

  /// Called when a display is available, or is available again. The display needs a whole picture.
  var onReady: (() -> Void)? { get set }
  /// Called when ``size`` or ``millimetres`` has changed. The display needs a whole picture.
  var onResize: (() -> Void)? { get set }
  /// Called when the display was unplugged, or when another program uses it. The owner must cancel all touches.
  var onLost: (() -> Void)? { get set }
  /// Called when a presented picture is visible. This is after the flip, or after the copy if the display does not
  /// report flips.
  var onShown: (() -> Void)? { get set }
  /// Called with each event of a finger or of the pointer.
  var onPointer: ((PointerEvent) -> Void)? { get set }
  /// Called with each event of a knob or an arrow key that belongs to the display.
  var onFocus: ((FocusEvent) -> Void)? { get set }
  /// Called with each line for the log.
  var onLog: ScreenEvent.Log? { get set }
}

extension Display {
  package var hasBacklight: Bool { false }

  package func setBrightness(_ percent: Int) {}
}

/// The pixels of a picture. They are valid only during the call that receives them.
package struct Picture {
  /// The rows from top to bottom: `stride * size.height` bytes. A pixel has four bytes: blue, green, red, and an unused
  /// byte (XRGB8888 as a 32-bit word; the machine is little-endian).
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The number of bytes from the start of one row to the start of the next row. At least four bytes for each pixel.
  package let stride: Int
  /// The size in pixels.
  package let size: PixelSize

  /// - Precondition: `stride` and `bytes` are large enough for `size`.
  package init(bytes: UnsafeBufferPointer<UInt8>, stride: Int, size: PixelSize) {
    precondition(stride >= size.width * 4 && bytes.count >= stride * size.height)
    self.bytes = bytes
    self.stride = stride
    self.size = size
  }
}

/// An event of a finger or of a pointer. Positions are in pixels of the rotated picture. They can lie outside the
/// picture. The times come from the input device and are times of CLOCK_MONOTONIC.
package enum PointerEvent: Hashable, Sendable {
  /// Identifies a finger. The identifier 0 stands for a pointer with buttons. An identifier is reused after its finger
  /// is lifted.
  package typealias ID = Int

  case down(ID, x: Int, y: Int, at: Duration)
  case move(ID, x: Int, y: Int, at: Duration)
  case up(ID, x: Int, y: Int, at: Duration)
  /// A mouse moves without a pressed button. The screen must draw the pointer, because no other program draws it.
  case hover(x: Int, y: Int, at: Duration)
  /// The touch must be ignored, because a palm caused it or because the device was removed.
  case cancel(ID, at: Duration)
}

/// An action of a knob or of the arrow keys.
package enum FocusEvent: Hashable, Sendable {
  /// One step in the order of all controls.
  case next, previous
  /// A fast turn of a knob by this number of steps; negative towards previous controls. On a list, it turns a page. On
  /// a page of letters, it moves the focus by one row.
  case turn(Int)
  /// A step to the nearest control in this direction.
  case left, right, up, down
  /// Activates the focused control.
  case activate
  /// Closes a list, or goes up one level in the menu.
  case back
}
