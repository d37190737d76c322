internal import Glibc

/// A terminal that does not show what is typed. The echo returns when the value is released.
final class EchoOff {
  private let descriptor: Int32
  private var saved = termios()

  /// Returns nil if the descriptor is not a terminal, or if its echo is off already.
  init?(_ descriptor: Int32) {
    self.descriptor = descriptor
    guard tcgetattr(descriptor, &saved) == 0, saved.c_lflag & tcflag_t(ECHO) != 0 else {
      return nil
    }
    var mode = saved
    mode.c_lflag &= ~tcflag_t(ECHO)
    guard tcsetattr(descriptor, TCSANOW, &mode) == 0 else { return nil }
  }

  deinit { tcsetattr(descriptor, TCSANOW, &saved) }
}
