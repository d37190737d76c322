import Foundation
import TestKit

/// A pseudoterminal. Programs use one end of it. This object uses the other end, in place of a person at a keyboard and
/// screen.
final class Terminal {
  /// A system call failed.
  struct Failure: Error {}

  private var person: Int32
  private let name: String
  private var process: ChildProcess?
  /// The output that `waits(for:)` has read so far.
  private(set) var seen = ""

  init() throws {
    // Swift cannot call posix_openpt and related functions, because glibc declares them only with _XOPEN_SOURCE. The
    // calls below do the same.
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: UInt32 = 0
    guard person >= 0, ioctl(person, 0x4004_5431 /* TIOCSPTLCK */, &lock) == 0,
      ioctl(person, 0x8004_5430 /* TIOCGPTN */, &number) == 0
    else { throw Failure() }
    name = "/dev/pts/\(number)"
  }

  deinit {
    // A failed test must not leave a running process.
    if let process, process.isRunning { process.terminate() }
    if person >= 0 { close(person) }
  }

  /// Runs a script with `program` as `$0` and the terminal as its output. The input is empty.
  func start(shell script: String, in folder: TemporaryFolder, _ program: String) throws
    -> ChildProcess
  {
    let descriptor = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure() }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, program]
    process.currentDirectoryURL = folder.url
    var environment = ProcessInfo.processInfo.environment
    environment["TERM"] = "xterm"
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    // The program has its own copy of the descriptor. If `handle` stayed open here, `read` would not detect the end of
    // the output.
    try handle.close()
    self.process = process
    return process
  }

  /// Waits until `text` is shown. Returns false if the program ends before `text` is shown, or shows nothing for a
  /// minute.
  func waits(for text: String) -> Bool {
    while !seen.contains(text) {
      guard let more = read() else { return false }
      seen += more
    }
    return true
  }

  /// Types keys.
  func type(_ keys: String) {
    var keys = keys
    keys.withUTF8 { _ = write(person, $0.baseAddress, $0.count) }
  }

  /// Changes the size of the terminal, and tells the program.
  func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(person, UInt(TIOCSWINSZ), &size)
    // The terminal is not the controlling terminal of a session, so the kernel does not send SIGWINCH.
    if let process { kill(process.processIdentifier, SIGWINCH) }
  }

  /// Closes the terminal, as when a user closes its window.
  func hangUp() {
    close(person)
    person = -1
  }

  /// The remaining output, until the program ends.
  func rest() -> String {
    var rest = ""
    while let more = read() { rest += more }
    return rest
  }

  /// The next output. Nil if no process has the terminal open, or if no output arrives within a minute.
  private func read() -> String? {
    // `poll` limits the wait, because a time limit of a test cannot end a blocking read.
    var entry = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 60_000) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(person, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
