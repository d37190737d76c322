internal import LibraryDatabase
internal import LibraryModel
internal import Synchronization
internal import Threads

/// The values that the control thread and the scanning thread exchange. One lock protects them.
final class ScanExchange: Sendable {
  /// A task for the scanning thread.
  enum Job: Equatable {
    case scan(LibraryVolume, others: [LibraryVolume])
    case readAnew(String)
    case forget(String)
    case remake
    case end
  }

  /// The results of the scanning thread.
  struct Findings {
    /// How often the database was opened. 0 before the first time.
    var generation = 0
    /// The folder of the database.
    var folder = ""
    /// True if the database is in memory.
    var isInMemory = false
    /// The condition of each volume that was scanned, or is being scanned.
    var conditions: [String: VolumeReport.Condition] = [:]
    /// The volumes with more files or deeper folders than the library reads.
    var cut: Set<String> = []
    /// The number of scans that have ended.
    var scans = 0
    /// The number of checks of the database that have found no damage.
    var checks = 0
    /// The last known ``LibraryWriter/revision``.
    var revision: Int64 = 0
    /// How often the file of the thumbnails was opened. 0 before the first time.
    var coverGeneration = 0
    /// The number of changes of the thumbnails since the start of the program.
    var coverChanges: Int64 = 0
    /// The files at which the program crashed or was killed (``HarmfulFiles``).
    var harmful: [HarmfulFile] = []
    /// The volume whose medium is being accessed, and the start of this access in nanoseconds of the monotonic clock.
    /// Nil if no medium is accessed.
    var reading: (volume: String, since: Int64)?
  }

  private struct State {
    var present: [LibraryVolume] = []
    /// The volumes that wait for a scan. ``takeJob()`` begins at the end.
    var waiting: [LibraryVolume] = []
    /// For each volume, the number of the call of ``setVolumes(_:)`` that added the volume.
    var arrivals: [String: Int] = [:]
    var lists = 0
    /// True if a volume was added since the last scan began.
    var hasArrived = false
    var preferredFolder: [UInt8] = []
    var isHeld = false
    var isEnding = false
    var mustRemake = false
    /// True while the worker creates the database again.
    var isRemaking = false
    var mustRemakeCovers = false
    var unread: [String] = []
    var forgotten: [String] = []
    var findings = Findings()
    var messages: [String] = []
  }

  private static let maximumMessages = 100
  private let state = Mutex(State())
  /// Wakes the scanning thread.
  let workerWake = WakeUp()
  /// Wakes the control thread after a change of ``findings``.
  let changeWake = WakeUp()

  // MARK: The control thread

  func setVolumes(_ new: [LibraryVolume]) {
    state.withLock { state in
      let known = Set(state.present)
      state.lists += 1
      state.present = new
      let present = Set(new)
      state.waiting.removeAll { !present.contains($0) }
      for volume in new where !known.contains(volume) {
        state.waiting.append(volume)
        state.arrivals[volume.identity] = state.lists
        state.hasArrived = true
        state.findings.conditions[volume.identity] = .waiting
      }
      let identities = Set(new.map(\.identity))
      state.arrivals = state.arrivals.filter { identities.contains($0.key) }
      state.findings.conditions = state.findings.conditions.filter { identities.contains($0.key) }
    }
    workerWake.signal()
    changeWake.signal()
  }

  func setPreferredFolder(_ path: [UInt8]) { state.withLock { $0.preferredFolder = path } }

  func setHeld(_ isHeld: Bool) {
    state.withLock { $0.isHeld = isHeld }
    workerWake.signal()
  }

  /// Requests a new scan of a volume, or of all volumes if the text is empty.
  func rescan(_ identity: String) {
    state.withLock { state in
      for volume in state.present where identity.isEmpty || volume.identity == identity {
        guard !state.waiting.contains(volume) else { continue }
        state.waiting.append(volume)
        state.findings.conditions[volume.identity] = .waiting
      }
    }
    workerWake.signal()
    changeWake.signal()
  }

  func readAnew(_ identity: String) {
    state.withLock { if !$0.unread.contains(identity) { $0.unread.append(identity) } }
    workerWake.signal()
  }

  func forget(_ identity: String) {
    state.withLock { if !$0.forgotten.contains(identity) { $0.forgotten.append(identity) } }
    workerWake.signal()
  }

  /// Requests that the database is removed and created again, because it is damaged. Returns false if this was already
  /// requested or is being done.
  ///
  /// - Parameter generation: ``Findings/generation`` of the damaged database. A newer database is kept.
  func remake(generation: Int) -> Bool {
    let isNew = state.withLock { state in
      guard !state.mustRemake, !state.isRemaking, generation == state.findings.generation else {
        return false
      }
      state.mustRemake = true
      return true
    }
    if isNew { workerWake.signal() }
    return isNew
  }

  /// Call this after the database was created again.
  func remade() { state.withLock { $0.isRemaking = false } }

  /// Requests that the thumbnails are removed and made again, because their file is damaged.
  func remakeCovers() {
    state.withLock { $0.mustRemakeCovers = true }
    workerWake.signal()
  }

  func end() {
    state.withLock { $0.isEnding = true }
    workerWake.signal()
  }

  var present: [LibraryVolume] { state.withLock { $0.present } }

  var findings: Findings { state.withLock { $0.findings } }

  func takeMessages() -> [String] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  // MARK: The scanning thread

  /// The next job. Nil if there is none. Volumes are scanned one after the other, and the volume that was added last is
  /// first. If several volumes were added together, the volume with the preferred folder is first.
  func takeJob() -> Job? {
    state.withLock { state in
      if state.isEnding { return .end }
      if state.mustRemake {
        state.mustRemake = false
        state.isRemaking = true
        state.waiting = state.present
        return .remake
      }
      if let identity = state.forgotten.popLast() { return .forget(identity) }
      if let identity = state.unread.popLast() {
        if let volume = state.present.first(where: { $0.identity == identity }),
          !state.waiting.contains(volume)
        {
          state.waiting.append(volume)
        }
        return .readAnew(identity)
      }
      guard let next = Self.next(state) else { return nil }
      state.waiting.removeAll { $0 == next }
      state.hasArrived = false
      return .scan(next, others: state.present.filter { $0 != next })
    }
  }

  private static func next(_ state: State) -> LibraryVolume? {
    guard let last = state.waiting.last else { return nil }
    let arrival = state.arrivals[last.identity]
    return state.waiting.first {
      state.arrivals[$0.identity] == arrival
        && state.preferredFolder.starts(with: $0.path + [UInt8(ascii: "/")])
    } ?? last
  }

  var preferredFolder: [UInt8] { state.withLock { $0.preferredFolder } }

  /// Whether the work of the scanning thread continues.
  enum Pace {
    case goesOn
    case held
    /// The work must stop: the volume is not present any more, another job is more urgent, or the program ends.
    case stops
  }

  func pace(of volume: LibraryVolume) -> Pace {
    state.withLock { state in
      if state.isEnding || state.mustRemake || !state.forgotten.isEmpty || !state.unread.isEmpty
        || !state.present.contains(volume)
      {
        return .stops
      }
      if state.hasArrived { return .stops }
      return state.isHeld ? .held : .goesOn
    }
  }

  /// Whether the work on the thumbnails of a volume continues. This work is less urgent than all jobs.
  func coverPace(of volume: LibraryVolume) -> Pace {
    state.withLock { state in
      if state.isEnding || state.mustRemake || state.mustRemakeCovers || !state.forgotten.isEmpty
        || !state.unread.isEmpty || !state.waiting.isEmpty || !state.present.contains(volume)
      {
        return .stops
      }
      return state.isHeld ? .held : .goesOn
    }
  }

  /// True if there is no job, and the library is not paused.
  var isIdle: Bool {
    state.withLock { state in
      !state.isEnding && !state.mustRemake && state.forgotten.isEmpty && state.unread.isEmpty
        && state.waiting.isEmpty && !state.isHeld
    }
  }

  /// Returns true in the first call after ``remakeCovers()``.
  func takeCoverRemake() -> Bool {
    state.withLock { state in
      defer { state.mustRemakeCovers = false }
      return state.mustRemakeCovers
    }
  }

  /// The present volumes whose scan is complete.
  var readyVolumes: [LibraryVolume] {
    state.withLock { state in
      state.present.filter { state.findings.conditions[$0.identity] == .ready }
    }
  }

  /// Puts a volume back into the queue, because its scan was stopped for a more urgent job. The other waiting volumes
  /// were added later, so they are scanned first.
  func scanAgain(_ volume: LibraryVolume) {
    state.withLock { state in
      guard state.present.contains(volume) else { return }
      state.waiting.insert(volume, at: 0)
      state.findings.conditions[volume.identity] = .waiting
    }
  }

  func update(_ change: (inout Findings) -> Void) {
    state.withLock { change(&$0.findings) }
    changeWake.signal()
  }

  /// Sets ``Findings/reading``. Does not wake the control thread, which reads this value with a timer.
  func setReading(_ reading: (volume: String, since: Int64)?) {
    state.withLock { $0.findings.reading = reading }
  }

  func say(_ message: String) {
    state.withLock { if $0.messages.count < Self.maximumMessages { $0.messages.append(message) } }
    changeWake.signal()
  }
}
