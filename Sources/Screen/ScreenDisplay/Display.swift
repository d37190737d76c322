package import ScreenLayout

/// Where pictures go, and where fingers come from: a panel, a window, or memory.
///
/// One thread, that of the event loop which the display was made with. Nothing here waits for a
/// refresh: a picture that comes while another is on its way is shown with the next one.
package protocol Display: AnyObject {
  /// Of the picture as it is seen, turned already. Means something between ``onReady`` and
  /// ``onLost``; before, it is what is expected.
  var size: PixelSize { get }
  /// What the panel says of its own size, width first, turned as the picture is; nil where it says
  /// nothing. May be nonsense: `Panel` decides whether it is believed.
  var millimetres: (width: Double, height: Double)? { get }
  /// Whether there is something to show pictures on now.
  var isReady: Bool { get }

  /// Begins: finds what there is, and goes on looking where there is nothing. Calls nothing back
  /// before it returns. Once.
  func start()

  /// Shows a picture of ``size``.
  ///
  /// Copies what it needs before it returns. Without effect while there is no display: ``onReady``
  /// asks for the whole picture.
  /// - Parameter damage: where it differs from the one before; inside of it, without overlaps. After
  ///   ``onReady`` and ``onResize`` it is everything.
  func present(_ picture: Picture, damage: [PixelRect])

  /// There is something to show pictures on (again); it wants a whole one.
  var onReady: (() -> Void)? { get set }
  /// It has another size or other millimetres now; it wants a whole picture.
  var onResize: (() -> Void)? { get set }
  /// There is nothing any more: unplugged, or another program has it. What was pressed is cancelled.
  var onLost: (() -> Void)? { get set }
  /// A picture that was presented can be seen: it was flipped to, or it was copied where there is no
  /// telling.
  var onShown: (() -> Void)? { get set }
  /// A finger or the pointer.
  var onPointer: ((PointerEvent) -> Void)? { get set }
  /// A knob or arrow keys, where the display's own input has some.
  var onFocus: ((FocusEvent) -> Void)? { get set }
  /// Something that an operator should know: one line for a log.
  var onNotice: ((String) -> Void)? { get set }
}

/// Pixels that are lent for the length of a call.
package struct Picture {
  /// `stride * size.height` of them, rows from the top: blue, green, red, and one that means
  /// nothing (XRGB8888 in words of this machine's order, which is little-endian).
  package let bytes: UnsafeBufferPointer<UInt8>
  /// From one row to the next; at least four for a pixel.
  package let stride: Int
  /// In pixels.
  package let size: PixelSize

  /// See the fields.
  package init(bytes: UnsafeBufferPointer<UInt8>, stride: Int, size: PixelSize) {
    precondition(stride >= size.width * 4 && bytes.count >= stride * size.height)
    self.bytes = bytes
    self.stride = stride
    self.size = size
  }
}

/// What a finger, or a pointer's button, does. Places are pixels of the picture, turned as it is; they
/// may lie outside of it. Moments are of CLOCK_MONOTONIC, as input devices stamp them.
package enum PointerEvent: Hashable, Sendable {
  /// A finger; 0 for a pointer with buttons. Used again once it is up.
  package typealias ID = Int

  case down(ID, x: Int, y: Int, at: Duration)
  case move(ID, x: Int, y: Int, at: Duration)
  case up(ID, x: Int, y: Int, at: Duration)
  /// A mouse goes there without a button: it wants to be seen, as nobody sees where it is otherwise.
  case hover(x: Int, y: Int, at: Duration)
  /// It never was: a palm, a device that has gone.
  case cancel(ID, at: Duration)
}

/// What a knob or arrow keys do.
package enum FocusEvent: Hashable, Sendable {
  /// A step through all that can be chosen.
  case next, previous
  /// To the nearest in a direction.
  case left, right, up, down
  /// Takes what is chosen.
  case activate
  /// Out of a list.
  case back
}
