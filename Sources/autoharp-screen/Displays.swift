import EventLoop
import ScreenDisplay
import Settings

/// What the machine has.
func makeDisplay(_ loop: EventLoop, _ settings: Settings) throws(SystemError) -> any Display {
  throw SystemError("no display", 19)
}
