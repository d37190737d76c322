package import ScreenLayout

/// Reports fingers and arrow keys of a panel that is used without a desktop. The display of the panel owns this object.
///
/// - Thread: the thread of the event loop. No method blocks.
package protocol PanelInput: AnyObject {
  /// The size of the picture after rotation. Positions of events are in pixels of this picture.
  var size: PixelSize { get set }
  /// Called with each event of a finger, a pen or the pointer.
  var onPointer: ((PointerEvent) -> Void)? { get set }
  /// Called when an arrow key, Return, Escape or a similar key is pressed.
  var onFocus: ((FocusEvent) -> Void)? { get set }
  /// Called with each line for the log.
  var onLog: ScreenEvent.Log? { get set }

  /// Opens all devices, and each device that appears later. Does nothing if the input has already been started.
  func start()
  /// Closes all devices.
  func stop()
}
