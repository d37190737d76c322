internal import EventLoop
internal import Glibc
internal import Reports
internal import SystemClock

/// Runs the program `autoharp-library` as a child of the daemon, on a machine where no service manager starts this
/// program. If the program ends, it is started again. When the daemon ends, `autoharp-library` ends by itself.
final class LibraryProcess {
  private let loop: EventLoop
  /// The path of `autoharp-library`.
  static let program = path(of: "autoharp-library")
  private let arguments: [String]
  private let log: UnitLog
  private var child: ChildSource?
  private var timer: TimerSource?
  /// The time before the next start of the program. It grows after each start, so that a program that always ends at
  /// once does not keep the machine busy.
  private var wait = LibraryProcess.shortestWait
  private var started: Int64 = 0
  private static let shortestWait = Duration.seconds(1)
  private static let longestWait = Duration.seconds(60)

  init(_ loop: EventLoop, arguments: [String], log: UnitLog) {
    self.loop = loop
    self.arguments = arguments
    self.log = log
    timer = TimerSource(loop) { [weak self] in self?.start() }
  }

  /// Starts the program. Blocks for a few milliseconds, until the kernel has loaded it.
  func start() {
    guard child == nil else { return }
    started = EventClock.monotonic.now
    do throws(SystemError) {
      let pid = try Spawn.start(Self.program, arguments, output: STDERR_FILENO)
      child = try ChildSource(loop, pid: pid) { [weak self] ending in self?.ended(ending) }
    } catch {
      log(.libraryFailed, "\(Self.program): \(error)", at: .now())
      startLater()
    }
  }

  private func ended(_ ending: ChildSource.Ending) {
    child = nil
    if ending != .exited(0) {
      log(.libraryFailed, "\(Self.program) has ended: \(ending)", at: .now())
    }
    if EventClock.monotonic.now - started > 60_000_000_000 { wait = Self.shortestWait }
    startLater()
  }

  private func startLater() {
    timer?.set(after: wait)
    wait = min(wait * 2, Self.longestWait)
  }

  /// The path of a program in the folder of the running program.
  private static func path(of name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    let own = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + name
  }
}
