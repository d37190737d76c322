public import Foundation
internal import Glibc

/// A program that a test starts: a replacement for the parts of Foundation's `Process` that tests need.
///
/// Foundation detects the end of a child by a descriptor that the child inherits. Another program that is started at
/// the same moment can inherit this descriptor too. In this case, Foundation detects the end of the child only when the
/// other program has ended. Until then the child is a zombie. Swift Testing runs exit tests in child processes, and one
/// of its threads waits for these processes. While any zombie exists, this thread runs a busy loop. This class uses
/// `waitpid` instead, and the child inherits only its three standard descriptors.
public final class ChildProcess: @unchecked Sendable {
  /// How the program ended.
  public enum TerminationReason: Sendable {
    /// The program exited.
    case exit
    /// A signal ended the program.
    case uncaughtSignal
  }

  /// The file of the program.
  public var executableURL: URL?
  /// The arguments without the name of the program.
  public var arguments: [String] = []
  /// The environment variables. Nil means the environment of the test process.
  public var environment: [String: String]?
  /// The current folder. Nil means the current folder of the test process.
  public var currentDirectoryURL: URL?
  /// A `Pipe` or a `FileHandle`. Nil means the standard input of the test process.
  public var standardInput: Any?
  /// A `Pipe` or a `FileHandle`. Nil means the standard output of the test process.
  public var standardOutput: Any?
  /// A `Pipe` or a `FileHandle`. Nil means the standard error of the test process.
  public var standardError: Any?
  /// The process number; 0 before the start.
  public private(set) var processIdentifier: pid_t = 0

  private let lock = NSLock()
  /// The status of `waitpid`; nil while the program runs.
  private var ending: Int32?

  /// Creates the object, but starts no program.
  public init() {}

  deinit {
    // A test that failed must not leave a zombie. See the comment of the class.
    send(SIGKILL)
    waitUntilExit()
  }

  /// Starts the program. Then closes the child's ends of the pipes in this process.
  public func run() throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let ends = [
      (standardInput as? Pipe)?.fileHandleForReading ?? standardInput as? FileHandle,
      (standardOutput as? Pipe)?.fileHandleForWriting ?? standardOutput as? FileHandle,
      (standardError as? Pipe)?.fileHandleForWriting ?? standardError as? FileHandle,
    ]
    for (target, end) in ends.enumerated() {
      if let end { posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, Int32(target)) }
    }
    _ = addCloseFrom(&actions, 3)
    if let folder = currentDirectoryURL {
      _ = addFolder(&actions, folder.path)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread of the tests can block signals, and the child must not inherit the blocked signals. The child gets a
    // process group of its own, so that Ctrl-C sends no signal to it. The tests end their children themselves.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    let path = executableURL?.path ?? ""
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var given = environment ?? ProcessInfo.processInfo.environment
    // The backtracer of Swift is switched off. The backtracer keeps the output of the child open. If a signal ends the
    // child while the backtracer reads the memory of the child, the backtracer never ends. Then the output of the child
    // never ends either.
    given["SWIFT_BACKTRACE"] = "enable=no"
    var variables: [UnsafeMutablePointer<CChar>?] =
      given.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var child: pid_t = 0
    let status = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
    guard status == 0 else {
      throw Tools.Failure(description: "\(path): \(String(cString: strerror(status)))")
    }
    processIdentifier = child
    try? (standardInput as? Pipe)?.fileHandleForReading.close()
    try? (standardOutput as? Pipe)?.fileHandleForWriting.close()
    try? (standardError as? Pipe)?.fileHandleForWriting.close()
  }

  /// True if the program was started and has not ended.
  public var isRunning: Bool { processIdentifier != 0 && !collect(WNOHANG) }

  /// Blocks until the program has ended.
  public func waitUntilExit() {
    guard processIdentifier != 0 else { return }
    while !collect(WNOHANG) {
      // WNOWAIT does not collect the child, so another thread can wait for the child at the same time.
      var info = siginfo_t()
      waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOWAIT)
    }
  }

  /// The exit status, or the number of the signal. Blocks until the program has ended.
  public var terminationStatus: Int32 {
    waitUntilExit()
    let ending = ending ?? 0
    return ending & 0x7f == 0 ? (ending >> 8) & 0xff : ending & 0x7f
  }

  /// How the program ended. Blocks until the program has ended.
  public var terminationReason: TerminationReason {
    waitUntilExit()
    return (ending ?? 0) & 0x7f == 0 ? .exit : .uncaughtSignal
  }

  /// Sends SIGTERM.
  public func terminate() { send(SIGTERM) }

  /// Sends SIGINT, as Ctrl-C does.
  public func interrupt() { send(SIGINT) }

  private func send(_ signal: Int32) {
    if isRunning { kill(processIdentifier, signal) }
  }

  private func collect(_ options: Int32) -> Bool {
    lock.withLock {
      if ending != nil { return true }
      var status: Int32 = 0
      let answer = waitpid(processIdentifier, &status, options)
      guard answer == processIdentifier else {
        // Other code has collected the child, so its status is unknown. The status is then treated as 0.
        if answer < 0, errno == ECHILD { ending = 0 }
        return ending != nil
      }
      ending = status
      return true
    }
  }
}

// glibc declares these functions only with `_GNU_SOURCE`, which Swift's import of glibc does not define.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32
@_silgen_name("posix_spawn_file_actions_addchdir_np")
private func addFolder(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
) -> Int32
