public import Foundation
internal import Glibc

/// A program that a test starts: Foundation's `Process`, as far as tests need it.
///
/// Foundation learns of an end by a descriptor that the child inherits. A program that another test
/// starts at the same moment can inherit it too; then the end is heard of when that one has ended, and
/// until then the child is a zombie, over which exit tests spin. Here the kernel is asked, and the
/// child gets its three descriptors and no others.
public final class ChildProcess: @unchecked Sendable {
  /// How it ended.
  public enum TerminationReason: Sendable {
    /// By itself.
    case exit
    /// By a signal.
    case uncaughtSignal
  }

  /// The program's file.
  public var executableURL: URL?
  /// Without its name.
  public var arguments: [String] = []
  /// Nil for that of the test.
  public var environment: [String: String]?
  /// Nil for that of the test.
  public var currentDirectoryURL: URL?
  /// A `Pipe` or a `FileHandle`; nil for that of the test.
  public var standardInput: Any?
  /// See ``standardInput``.
  public var standardOutput: Any?
  /// See ``standardInput``.
  public var standardError: Any?
  /// 0 before it runs.
  public private(set) var processIdentifier: pid_t = 0

  private let lock = NSLock()
  /// As `waitpid` had it; nil while it runs.
  private var ending: Int32?

  /// Nothing runs yet.
  public init() {}

  deinit {
    // One that still runs is collected by whoever starts the tests.
    _ = isRunning
  }

  /// Starts it. The child's ends of pipes are closed here.
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
    // Threads of a test may block signals; and a Ctrl-C is the tests', which end what they started.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    let path = executableURL?.path ?? ""
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var given = environment ?? ProcessInfo.processInfo.environment
    // Swift's backtracer holds the child's output open. If a signal ends the child while the backtracer
    // reads its memory, the backtracer waits for ever, and with it whoever reads that output.
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

  /// Whether it has started and not ended.
  public var isRunning: Bool { processIdentifier != 0 && !collect(WNOHANG) }

  /// Blocks until it has ended.
  public func waitUntilExit() {
    guard processIdentifier != 0 else { return }
    while !collect(WNOHANG) {
      // Not collected here, so that another thread may ask meanwhile.
      var info = siginfo_t()
      waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOWAIT)
    }
  }

  /// What it ended with: its status, or the signal.
  public var terminationStatus: Int32 {
    waitUntilExit()
    let ending = ending ?? 0
    return ending & 0x7f == 0 ? (ending >> 8) & 0xff : ending & 0x7f
  }

  /// How it ended.
  public var terminationReason: TerminationReason {
    waitUntilExit()
    return (ending ?? 0) & 0x7f == 0 ? .exit : .uncaughtSignal
  }

  /// Asks it to end.
  public func terminate() { send(SIGTERM) }

  /// As Ctrl-C does.
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
        // Whoever collected it knows how it ended.
        if answer < 0, errno == ECHILD { ending = 0 }
        return ending != nil
      }
      ending = status
      return true
    }
  }
}

// glibc has these for programs that ask for GNU's extensions, which Swift's import of it does not.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32
@_silgen_name("posix_spawn_file_actions_addchdir_np")
private func addFolder(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
) -> Int32
