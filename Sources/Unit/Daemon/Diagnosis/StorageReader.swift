internal import EventLoop
internal import Files
internal import Glibc
internal import Synchronization
internal import Threads

/// Reads the presence and the free space of folders. A medium that does not answer blocks the thread that reads it, so
/// each path is read on a thread of its own.
///
/// The control thread calls all methods. No call blocks.
final class StorageReader {
  /// The reading of one path.
  struct Reading: Sendable {
    /// False if the path does not exist.
    var isPresent: Bool
    /// True if the path can be opened and, if it is a file, has at least one byte that can be read.
    var isReadable = false
    /// The space on the file system of the path. Nil if the file system has not reported the space.
    var space: FileSystemSpace?
  }

  /// The readings. The keys are the paths. A path whose medium has not answered is missing.
  typealias Readings = [String: Reading]

  private struct Request {
    var missing: Set<String>
    var readings: Readings = [:]
    let timer: TimerSource
    let completion: (Readings) -> Void
  }

  /// The readings that arrived, in the order of their arrival. The threads add their readings.
  private final class Arrivals: Sendable {
    let readings = Mutex<[(path: String, reading: Reading)]>([])
    let wakeUp = WakeUp()
  }

  private let loop: EventLoop
  private let limit: Duration
  private let read: @Sendable (String) -> Reading
  private let arrivals = Arrivals()
  private var source: DescriptorSource?
  private var requests: [Int: Request] = [:]
  private var lastRequest = 0
  /// The paths that threads are reading.
  private var active: Set<String> = []
  /// The paths of ``active`` that have not answered within the limit.
  private var silent: Set<String> = []

  /// - Parameters:
  ///   - limit: the maximum time of a request. A path that has not answered after this time is left out.
  ///   - read: reads a path, on any thread.
  init(
    _ loop: EventLoop, limit: Duration = .milliseconds(500),
    read: @escaping @Sendable (String) -> Reading = StorageReader.reading
  ) {
    self.loop = loop
    self.limit = limit
    self.read = read
  }

  /// Begins to receive the readings of the threads. Earlier requests get no readings, and end at the time limit.
  func start() throws(SystemError) {
    source = try DescriptorSource(
      loop, descriptor: arrivals.wakeUp.descriptor, events: .readable
    ) { [weak self] _ in self?.handleArrivals() }
  }

  // The source must end before the wake-up closes its descriptor: if a child process has a copy of the descriptor, the
  // kernel would still report events for a source that no longer exists.
  deinit { source?.cancel() }

  /// Reads paths. `completion` is called once, at the latest when the time limit has passed.
  func read(_ paths: some Sequence<String>, completion: @escaping (Readings) -> Void) {
    // A path that has been silent since an earlier request is left out. Otherwise this path would delay each further
    // request until the time limit.
    let wanted = Set(paths).subtracting(silent)
    lastRequest += 1
    let number = lastRequest
    let timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.timeOut(number) }
    timer.set(after: limit)
    requests[number] = Request(missing: wanted, timer: timer, completion: completion)
    for path in wanted where active.insert(path).inserted {
      let thread = NamedThread("storage") { [arrivals, read] in
        let reading = read(path)
        arrivals.readings.withLock { $0.append((path, reading)) }
        arrivals.wakeUp.signal()
      }
      thread.detach()
    }
    if wanted.isEmpty { finish(number) }
  }

  private func handleArrivals() {
    arrivals.wakeUp.clear()
    let arrived = arrivals.readings.withLock { readings in
      defer { readings = [] }
      return readings
    }
    for (path, reading) in arrived {
      active.remove(path)
      silent.remove(path)
      for number in requests.keys where requests[number]?.missing.remove(path) != nil {
        requests[number]?.readings[path] = reading
      }
    }
    for (number, request) in requests where request.missing.isEmpty { finish(number) }
  }

  private func timeOut(_ number: Int) {
    if let request = requests[number] { silent.formUnion(request.missing) }
    finish(number)
  }

  private func finish(_ number: Int) {
    guard let request = requests.removeValue(forKey: number) else { return }
    request.timer.stop()
    request.completion(request.readings)
  }

  /// Reads a path. Blocks while its medium does not answer.
  static func reading(_ path: String) -> Reading {
    var status = stat()
    let isPresent = stat(FileName.cString(path), &status) == 0
    return Reading(
      isPresent: isPresent, isReadable: isPresent && isReadable(path, status),
      space: isPresent ? FileSystemSpace(path) : nil)
  }

  private static func isReadable(_ path: String, _ status: stat) -> Bool {
    let descriptor = open(FileName.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard status.st_mode & S_IFMT == S_IFREG else { return true }
    var byte: UInt8 = 0
    return Glibc.read(descriptor, &byte, 1) == 1
  }
}
