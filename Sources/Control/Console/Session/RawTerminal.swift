internal import Glibc
internal import Text

/// A terminal in raw mode. Until ``leave()``, keys arrive one by one and without echo.
///
/// This type needs a non-blocking descriptor. The given descriptor is possibly shared with a shell, so its mode is not
/// changed. Instead, the terminal is opened a second time, if possible.
final class RawTerminal {
  /// The descriptor for `poll`, reading and writing.
  let descriptor: Int32
  private let isOwn: Bool
  private var saved: termios?

  /// - Parameter given: a descriptor of the terminal.
  init(_ given: Int32) {
    let own = open("/proc/self/fd/\(given)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    isOwn = own >= 0 && isatty(own) == 1
    if own >= 0, !isOwn { close(own) }
    descriptor = isOwn ? own : given
  }

  deinit {
    leave()
    if isOwn { close(descriptor) }
  }

  /// The maximum number of bytes for one write after `poll`. `poll` reports a terminal as writable even if it has room
  /// for only a few bytes. A longer write to a blocking descriptor would then block.
  var largestWrite: Int { isOwn ? .max : 64 }

  /// Sets raw mode. ``leave()`` restores the earlier mode. Returns nil, or the error number if the mode cannot be set.
  func enter() -> Int32? {
    guard saved == nil else { return nil }
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return errno }
    let before = mode
    // Software flow control (IXON) is not changed, because a serial line with three wires has no other flow control.
    mode.c_iflag &= ~tcflag_t(BRKINT | ICRNL | IGNCR | INLCR | ISTRIP | PARMRK)
    mode.c_oflag &= ~tcflag_t(OPOST)
    mode.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN | ISIG)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    guard tcsetattr(descriptor, TCSANOW, &mode) == 0 else { return errno }
    saved = before
    return nil
  }

  /// Restores the earlier mode. Does not wait for output that is not transmitted yet.
  ///
  /// - Parameter dropsInput: if true, unread input is dropped. Use true if the terminal's answer to a request of this
  ///   program is still expected, because no other program should read this answer.
  func leave(dropsInput: Bool = false) {
    guard var mode = saved else { return }
    saved = nil
    if dropsInput { tcflush(descriptor, TCIFLUSH) }
    tcsetattr(descriptor, TCSANOW, &mode)
  }

  /// The width in columns. Nil if the width is unknown, as on a serial line.
  var columns: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Makes the process group of this program the foreground group of the terminal again. Called after a shell has run.
  func enterForeground() {
    let before = signal(SIGTTOU, SIG_IGN)
    tcsetpgrp(descriptor, getpgrp())
    signal(SIGTTOU, before)
  }
}
