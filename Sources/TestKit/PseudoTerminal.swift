public import Foundation

/// A terminal of the kernel's own, with a person at one end.
public final class PseudoTerminal {
  /// A system call said no.
  public struct Failure: Error {}

  /// Where the program reads and writes.
  public let descriptor: Int32
  private var person: Int32
  /// What is shown.
  public private(set) var screen: VirtualTerminal
  /// All that was ever written to it.
  public private(set) var seen = ""

  /// Opens one.
  /// - Throws: where the kernel gives none.
  public init(columns: Int = 60, rows: Int = 20, tellsSize: Bool = true) throws {
    // glibc hides posix_openpt and its like from Swift (they need _XOPEN_SOURCE); this is what
    // they do.
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: UInt32 = 0
    guard person >= 0, ioctl(person, 0x4004_5431 /* TIOCSPTLCK */, &lock) == 0,
      ioctl(person, 0x8004_5430 /* TIOCGPTN */, &number) == 0
    else { throw Failure() }
    descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure() }
    screen = VirtualTerminal(columns: columns, rows: rows)
    if tellsSize {
      var size = winsize(
        ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(person, UInt(TIOCSWINSZ), &size)
    }
  }

  deinit {
    hangUp()
    close(descriptor)
  }

  /// How it is set up.
  public var mode: termios {
    var mode = termios()
    tcgetattr(descriptor, &mode)
    return mode
  }

  /// What of the mode a program may have changed.
  public var flags: [UInt32] {
    let mode = mode
    return [mode.c_iflag, mode.c_oflag, mode.c_lflag, mode.c_cflag]
  }

  /// Types as a person does.
  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(person, bytes, bytes.count)
  }

  /// Closes the person's end.
  public func hangUp() {
    if person >= 0 { close(person) }
    person = -1
  }

  /// Reads what the program shows until `isThere` says so; false after a long time without.
  public func waits(for isThere: (VirtualTerminal) -> Bool) -> Bool {
    while !isThere(screen) {
      var entry = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 20_000) > 0 else { return false }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(person, &bytes, bytes.count)
      guard count > 0 else { return false }
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      seen += text
      screen.feed(text)
      let answers = screen.takeAnswers()
      if !answers.isEmpty { _ = write(person, answers, answers.count) }
    }
    return true
  }

  /// Waits until the rows end so; the cursor is `▏`.
  public func waits(forEnd end: String) -> Bool { waits { $0.screenWithCursor.hasSuffix(end) } }
}
