package import ScreenLayout

/// Where fingers and arrow keys of a bare panel come from; a panel's display owns one.
///
/// One thread, the event loop's. Nothing here waits.
package protocol PanelInput: AnyObject {
  /// Of the picture, turned as it is seen: what places are in.
  var size: PixelSize { get set }
  /// A finger, a pen or the pointer.
  var onPointer: ((PointerEvent) -> Void)? { get set }
  /// An arrow key, Return or Escape.
  var onFocus: ((FocusEvent) -> Void)? { get set }
  /// One line for a log.
  var onNotice: ((String) -> Void)? { get set }

  /// Opens the devices that are there, and goes on finding others. Again does nothing.
  func start()
  /// Closes them.
  func stop()
}
