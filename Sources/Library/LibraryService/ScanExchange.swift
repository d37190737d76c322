internal import LibraryDatabase
internal import LibraryModel
internal import Synchronization
internal import Threads

/// What the control thread and the scanning thread exchange.
final class ScanExchange: Sendable {
  /// What the scanning thread does next.
  enum Job: Equatable {
    case scan(LibraryVolume, others: [LibraryVolume])
    case readAnew(String)
    case forget(String)
    case remake
    case end
  }

  /// What the scanning thread has found out.
  struct Findings {
    /// Counts how often the database was opened. 0 before it was opened.
    var generation = 0
    /// The folder of the database.
    var folder = ""
    /// The condition of each volume that was scanned, or is being scanned.
    var conditions: [String: VolumeReport.Condition] = [:]
    /// The volumes with more files than the library reads.
    var cut: Set<String> = []
    /// Counts the scans that have ended.
    var scans = 0
    /// Counts the examinations of the database that have found no damage.
    var checks = 0
    /// Grows with each commit.
    var revision: Int64 = 0
    /// Counts how often the file of the thumbnails was opened. 0 before it was opened.
    var coverGeneration = 0
    /// Counts the changes of the thumbnails since the start of the program.
    var coverChanges: Int64 = 0
    /// The files that have stopped programs.
    var harmful: [HarmfulFile] = []
    /// Since when the medium of this volume has not answered. Monotonic, in nanoseconds.
    var reading: (volume: String, since: Int64)?
  }

  private struct State {
    var present: [LibraryVolume] = []
    /// The volumes that wait for a scan, in the order of their arrival.
    var waiting: [LibraryVolume] = []
    /// With which list of volumes each volume has arrived.
    var arrivals: [String: Int] = [:]
    var lists = 0
    /// True if a volume has arrived since the last job began.
    var hasArrived = false
    var preferredFolder: [UInt8] = []
    var isHeld = false
    var isEnding = false
    var mustRemake = false
    /// True while the worker makes the database again.
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

  /// Scans a volume again, or all of them.
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

  /// Removes the database and makes it again, because it is damaged. Returns false if this was requested before, or is
  /// being done.
  ///
  /// - Parameter generation: that of the database in ``Findings``. If another one has taken its place, nothing is done.
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

  /// Must be called when the database was made again.
  func remade() { state.withLock { $0.isRemaking = false } }

  /// Removes the thumbnails and makes them again, because their file is damaged.
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

  /// The next job; nil if there is none. Volumes are scanned one after the other: the one that has arrived last first.
  /// Of volumes that have arrived together, the one with the preferred folder is first.
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

  /// How a scan goes on.
  enum Pace {
    case goesOn
    case held
    /// The volume is no longer present, something else is more urgent, or the program ends.
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

  /// How the work on the thumbnails of a volume goes on. It is less urgent than all jobs.
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

  /// True if there is no job, and files may be read.
  var isIdle: Bool {
    state.withLock { state in
      !state.isEnding && !state.mustRemake && state.forgotten.isEmpty && state.unread.isEmpty
        && state.waiting.isEmpty && !state.isHeld
    }
  }

  /// True once after ``remakeCovers()``.
  func takeCoverRemake() -> Bool {
    state.withLock { state in
      defer { state.mustRemakeCovers = false }
      return state.mustRemakeCovers
    }
  }

  /// The volumes that are present and whose scan is complete.
  var readyVolumes: [LibraryVolume] {
    state.withLock { state in
      state.present.filter { state.findings.conditions[$0.identity] == .ready }
    }
  }

  /// A scan was stopped for something more urgent and must be repeated. The volumes that wait have arrived later.
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

  /// Notes when a medium was asked. Wakes nobody.
  func setReading(_ reading: (volume: String, since: Int64)?) {
    state.withLock { $0.findings.reading = reading }
  }

  func say(_ message: String) {
    state.withLock { if $0.messages.count < Self.maximumMessages { $0.messages.append(message) } }
    changeWake.signal()
  }
}
