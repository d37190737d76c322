import EventLoop
import KMSDisplay
import ScreenDisplay
import ScreenInput
import ScreenLayout
import ScreenPainter
import Settings
import WindowDisplay

/// Opens the panel of the machine directly (KMS), without a desktop.
func makePanel(_ loop: EventLoop, _ settings: Settings) -> KMSDisplay {
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
  window.onClose = { loop.exit($0 == .closed ? 0 : 1) }
  window.onQuestionMark = { [unowned window] in showKeys(in: window) }
  return window
}

private func showKeys(in window: WindowDisplay) {
  let painter = Painter(size: window.size)
  let scene = WindowKeysLayout.scene(Panel(size: window.size), measure: painter.shaper)
  painter.show(scene)
  painter.withPixels { bytes, stride in
    window.cover(with: Picture(bytes: bytes, stride: stride, size: window.size))
  }
}
