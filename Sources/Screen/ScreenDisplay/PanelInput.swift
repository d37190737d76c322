package import ScreenLayout

/// Reports fingers and arrow keys of a panel without a desktop. The display of the panel owns this
/// object.
///
/// - Thread: that of the event loop. No method blocks.
package protocol PanelInput: AnyObject {
  /// The size of the picture after rotation. Positions of events are in its pixels.
  var size: PixelSize { get set }
  /// A finger, a pen or the pointer.
  var onPointer: ((PointerEvent) -> Void)? { get set }
  /// An arrow key, Return or Escape.
  var onFocus: ((FocusEvent) -> Void)? { get set }
  /// One line for the log.
  var onLog: ScreenEvent.Log? { get set }

  /// Opens the present devices, and later devices when they appear. Does nothing if the input has
  /// been started already.
  func start()
  /// Closes all devices.
  func stop()
}
