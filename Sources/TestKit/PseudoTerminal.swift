public import Foundation

/// A pseudo-terminal of the kernel. The program under test uses one end, and the test uses the other end.
public final class PseudoTerminal {
  /// The error that is thrown if a system call has failed.
  public struct Failure: Error {}

  /// The end that the program under test reads and writes.
  public let descriptor: Int32
  private var controller: Int32
  /// The content of the simulated screen.
  public private(set) var screen: VirtualTerminal
  /// All text that the program has written.
  public private(set) var seen = ""

  /// Opens a pseudo-terminal.
  /// - Throws: if the kernel provides no pseudo-terminal.
  public init(columns: Int = 60, rows: Int = 20, reportsSize: Bool = true) throws {
    // Swift cannot call posix_openpt and related functions, because glibc declares them only with _XOPEN_SOURCE. The
    // following system calls do the same as these functions.
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: UInt32 = 0
    guard controller >= 0, ioctl(controller, 0x4004_5431 /* TIOCSPTLCK */, &lock) == 0,
      ioctl(controller, 0x8004_5430 /* TIOCGPTN */, &number) == 0
    else { throw Failure() }
    descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure() }
    screen = VirtualTerminal(columns: columns, rows: rows)
    if reportsSize {
      var size = winsize(
        ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
    }
  }

  deinit {
    hangUp()
    close(descriptor)
  }

  /// The mode of the terminal.
  public var mode: termios {
    var mode = termios()
    tcgetattr(descriptor, &mode)
    return mode
  }

  /// The flags of the mode. A program that changes these flags must restore them before it ends.
  public var flags: [UInt32] {
    let mode = mode
    return [mode.c_iflag, mode.c_oflag, mode.c_lflag, mode.c_cflag]
  }

  /// Sends a text to the program, as if a person typed it.
  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// Closes the end that the test uses.
  public func hangUp() {
    if controller >= 0 { close(controller) }
    controller = -1
  }

  /// Reads the program's output until `condition` returns true. Returns false if no output arrives for 20 s, or if the
  /// output ends.
  public func waits(for condition: (VirtualTerminal) -> Bool) -> Bool {
    while !condition(screen) {
      var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 20_000) > 0 else { return false }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(controller, &bytes, bytes.count)
      guard count > 0 else { return false }
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      seen += text
      screen.feed(text)
      let answers = screen.takeAnswers()
      if !answers.isEmpty { _ = write(controller, answers, answers.count) }
    }
    return true
  }

  /// Waits until the text on the screen ends with `end`. In this text, `▏` stands for the cursor.
  public func waits(forEnd end: String) -> Bool { waits { $0.screenWithCursor.hasSuffix(end) } }
}
