import EventLoop
import KMSDisplay
import ScreenDisplay
import ScreenInput
import ScreenLayout
import Settings
import WindowDisplay

/// Opens the panel of the machine directly (KMS), without a desktop.
func makeDisplay(_ loop: EventLoop, _ settings: Settings) -> KMSDisplay {
  let rotation: Rotation =
    switch settings.screenRotation {
    case .upright: .none
    case .right: .right
    case .around: .around
    case .left: .left
    }
  return KMSDisplay(loop, rotation: rotation, input: ScreenInput(loop, rotation: rotation))
}

/// Opens a window on the desktop. When the window is closed, the program ends.
func makeWindow(_ loop: EventLoop, _ size: PixelSize) -> WindowDisplay {
  let window = WindowDisplay(loop, size: size)
  window.onClose = { loop.exit(0) }
  return window
}
