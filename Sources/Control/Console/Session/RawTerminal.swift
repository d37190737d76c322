internal import Glibc
internal import Text

/// A terminal whose keys come one by one and without an echo, until ``leave()``.
///
/// It is opened once more where that is possible: only then can reading and writing be without
/// waiting, as a descriptor that came from a shell is the shell's too.
final class RawTerminal {
  /// For `poll`, reading and writing.
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

  /// How many bytes may be written at once after `poll` said so: a terminal that may make us wait
  /// says that it is writable while it has room for little.
  var largestWrite: Int { isOwn ? .max : 64 }

  /// Takes the terminal. What it was before comes back with ``leave()``. Returns the error number of
  /// a terminal that will not have it.
  func enter() -> Int32? {
    guard saved == nil else { return nil }
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return errno }
    let before = mode
    // Flow control (IXON) stays as it was: on a line of three wires it is all there is.
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

  /// Gives it back as it was. Does not wait for what is still on its way to it.
  ///
  /// - Parameter dropsInput: what was not read yet is an answer to us, and nobody else should get
  ///   it.
  func leave(dropsInput: Bool = false) {
    guard var mode = saved else { return }
    saved = nil
    if dropsInput { tcflush(descriptor, TCIFLUSH) }
    tcsetattr(descriptor, TCSANOW, &mode)
  }

  /// How wide it is, where somebody knows; nobody does on a serial line.
  var columns: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Makes this process the one that the terminal listens to, after a shell was.
  func takeForeground() {
    let before = signal(SIGTTOU, SIG_IGN)
    tcsetpgrp(descriptor, getpgrp())
    signal(SIGTTOU, before)
  }
}
