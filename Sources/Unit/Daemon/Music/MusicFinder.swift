internal import Files
internal import Glibc
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Synchronization
internal import SystemClock
internal import Threads

/// Reads the music folders on a separate thread, because a read from a stick can take seconds or never end.
///
/// The control thread calls all methods. No call blocks, apart from a short wait in ``shutDown()``. A new request
/// cancels the current request.
final class MusicFinder {
  /// A part of the result of a request. The result arrives in parts, so that the control thread never handles many
  /// files at once. The parts arrive in the order of the search.
  struct Part: Sendable {
    /// The files that can be played, in playing order.
    var files: [MusicFile] = []
    /// The files that cannot be played.
    var unplayable = UnplayableFiles()
    /// The numbers of files of each volume, keyed by the path of the volume.
    var counts: [String: VolumeCount] = [:]
    /// Only the last part has a summary.
    var summary: MusicScan.Summary?
  }

  /// Maximum number of files in one ``Part``. The first part has one file, so that playback can begin with it.
  private static let partSize = 256
  /// Maximum number of given-up threads that wait for media that do not answer.
  private static let blockedLimit = 8
  /// Maximum time for which ``shutDown()`` waits for the thread.
  private static let shutDownMilliseconds: Int32 = 1000

  private struct State {
    var request: [String]?
    /// The paths of the volumes for which files are counted.
    var volumes: [String] = []
    /// The paths of the volumes that are media, and not folders of the unit.
    var media: Set<String> = []
    /// The paths that are not read.
    var skipped: Set<String> = []
    var parts: [Part] = []
    var number = 0
    var count = 0
    var isStopping = false
    var hasEnded = false
    /// The path that is being read, and the time at which this read began. Nil while no search runs.
    var reading: (path: String, since: MonotonicInstant)?
  }

  /// The state that both threads use. Each thread holds the lock only briefly.
  private final class Exchange: Sendable {
    let state = Mutex(State())
    let workerWake = WakeUp()
    let ended = WakeUp()
    let controlWake: WakeUp

    init(_ controlWake: WakeUp) { self.controlWake = controlWake }
  }

  /// Signalled when ``takePart()`` has a part.
  let wakeUp = WakeUp()
  private var exchange: Exchange
  /// The exchanges of the searches that were given up. Their threads can still be waiting for a medium.
  private var givenUp: [Exchange] = []

  init() {
    exchange = Exchange(wakeUp)
    startWorker()
  }

  private func startWorker() {
    NamedThread("music") { [exchange] in
      Self.work(exchange)
      exchange.state.withLock { $0.hasEnded = true }
      exchange.ended.signal()
    }.detach()
  }

  /// Searches files and folders, in the given order.
  /// - Parameters:
  ///   - skipped: paths that are not read.
  ///   - volumes: the volumes for which files are counted.
  func find(_ paths: [String], except skipped: Set<String> = [], volumes: [MusicVolume] = []) {
    exchange.state.withLock { state in
      state.request = paths
      state.skipped = skipped
      // A file belongs to the volume with the longest path that contains the file.
      state.volumes = volumes.map(\.path).sorted { $0.utf8.count > $1.utf8.count }
      state.media = Set(volumes.filter(\.isStick).map(\.path))
      state.parts = []
      state.number += 1
    }
    exchange.workerWake.signal()
  }

  /// Returns the next part of the answer to the newest request, and removes this part. Nil if no part has arrived. If
  /// more parts follow, ``wakeUp`` stays signalled, so that other events are handled between two parts.
  func takePart() -> Part? {
    wakeUp.clear()
    let (part, isMore) = exchange.state.withLock { state in
      (state.parts.isEmpty ? nil : state.parts.removeFirst(), !state.parts.isEmpty)
    }
    if isMore { wakeUp.signal() }
    return part
  }

  /// Number of files that were examined for the newest request.
  var count: Int { exchange.state.withLock { $0.count } }

  /// The path that the search has been reading for at least `limit`. Nil if there is no such path.
  func blockedPath(_ limit: Duration, at now: MonotonicInstant) -> String? {
    exchange.state.withLock { state in
      state.reading.flatMap { now.awake - $0.since.awake >= limit ? $0.path : nil }
    }
  }

  /// Gives up the search and its thread, because the thread waits for a medium. The thread ends when the medium
  /// answers. Returns false if too many threads wait in this way. Then no further search is possible.
  func giveUp() -> Bool {
    stopWorker()
    givenUp.removeAll { $0.state.withLock { $0.hasEnded } }
    givenUp.append(exchange)
    guard givenUp.count < Self.blockedLimit else { return false }
    exchange = Exchange(wakeUp)
    startWorker()
    return true
  }

  /// Ends the thread. Waits until the current read has ended, but at most ``shutDownMilliseconds``.
  func shutDown() {
    stopWorker()
    exchange.ended.wait(milliseconds: Self.shutDownMilliseconds)
  }

  private func stopWorker() {
    exchange.state.withLock { state in
      state.isStopping = true
      state.number += 1
    }
    exchange.workerWake.signal()
  }

  // MARK: The thread

  private static func work(_ exchange: Exchange) {
    while true {
      exchange.workerWake.wait()
      let state = exchange.state.withLock { state in
        defer { state.request = nil }
        return state
      }
      if state.isStopping { return }
      guard let request = state.request else { continue }
      search(request, state, exchange)
      exchange.state.withLock { $0.reading = nil }
    }
  }

  private static func search(
    _ paths: [String], _ request: State, _ exchange: Exchange
  ) {
    let (skipped, volumes, number) = (request.skipped, request.volumes, request.number)
    var part = Part()
    func count(_ path: String, _ change: (inout VolumeCount) -> Void) {
      if let volume = volumes.first(where: { MusicVolume.contains($0, path) }) {
        change(&part.counts[volume, default: VolumeCount()])
      }
    }
    var size = 1
    func hand() {
      let isWanted = exchange.state.withLock { state in
        guard state.number == number else { return false }
        state.parts.append(part)
        return true
      }
      if isWanted { exchange.controlWake.signal() }
      part = Part()
      size = partSize
    }
    func step(_ path: String, _ count: Int) -> MusicScan.Step {
      guard !skipped.contains(path) else { return .skip }
      return exchange.state.withLock { state in
        state.count = count
        state.reading = (path, .now())
        return state.number == number ? .read : .stop
      }
    }
    // Some units do not have all of the configured folders, so a missing folder is not an error.
    let present = paths.filter { path in
      step(path, 0) == .read && (access(FileName.cString(path), F_OK) == 0 || errno != ENOENT)
    }
    part.summary = MusicScan.run(paths: present, media: request.media, step: step) { finding in
      switch finding {
      case .music(let file, _):
        part.files.append(file)
        count(file.directory) { $0.addPlayable() }
      case .unplayable(let file):
        part.unplayable.add(file)
        count(file.path) { $0.add(file.cause) }
      }
      if part.files.count + part.unplayable.count >= size { hand() }
    }
    hand()
  }
}
