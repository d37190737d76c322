internal import Threads

/// Reads the state once, and saves each new state in the next slot. If several attempts in a row fail, the pause before
/// the next attempt gets longer: 1, 2, 4 … 60 seconds. This type has no thread. ``StateLoop`` and tests call it.
///
/// Times are in seconds of a monotonic clock.
struct StateWriter {
  private static let longestPause = 60.0

  private let folder: any StateFolder
  private var file: (any StateFile)?
  private let layout: StateLayout
  private var scan: SlotScan
  /// The pause in seconds after the next failure.
  private var pause = 1.0
  /// The time at which the next attempt is due. Nil if the last attempt succeeded.
  private(set) var retry: Double?
  private var notices: [StateNotice] = []
  private var reportedTexts: Set<String> = []

  init(_ folder: any StateFolder, _ layout: StateLayout = .state) {
    self.folder = folder
    self.layout = layout
    scan = SlotScan(layout)
  }

  /// Opens the file and returns the last saved state. Nil if there is no saved state, or if it cannot be read.
  mutating func open(at now: Double) -> [UInt8]? {
    do throws(StateFailure) {
      let payload = try openFile()
      scan.dropPayload()
      if let refusal = file?.refusal {
        file = nil
        fail(refusal, at: now)
      }
      return payload
    } catch {
      fail(.system(error), at: now)
      return nil
    }
  }

  /// Tries to save a state. Returns true if the state is on the medium. After a failure, call this again at ``retry``.
  mutating func save(_ payload: [UInt8], at now: Double) -> Bool {
    do throws(StateFailure) {
      if file?.isAtItsPath != true {
        file = nil
        try openFile()
      }
      guard let file else { return false }
      if let refusal = file.refusal {
        self.file = nil
        fail(refusal, at: now)
        return false
      }
      let isNew = try preallocate(file)
      let slot = Slot(sequence: scan.nextSequence, payload: payload)
      try file.write(slot.encoded, at: scan.nextIndex * layout.slotBytes)
      try file.synchronise(isNew: isNew)
      scan.wrote(slot)
      scan.dropPayload()
    } catch {
      // The contents of the medium are unknown now. The next attempt opens and reads the file again.
      file = nil
      fail(.system(error), at: now)
      return false
    }
    if retry != nil { addNotice(.savingAgain, "the state is saved again") }
    retry = nil
    pause = 1
    return true
  }

  /// Returns the notices and removes them.
  mutating func takeNotices() -> [StateNotice] {
    defer { notices = [] }
    return notices
  }

  // MARK: Parts

  /// Opens the file and looks for the newest slot. A file that is not a state file is replaced.
  @discardableResult
  private mutating func openFile() throws(StateFailure) -> [UInt8]? {
    let opened: any StateFile
    do throws(StateFailure) {
      opened = try folder.open()
    } catch {
      guard error.operation == .useAsFile else { throw error }
      try replace(because: "it is not a file")
      return nil
    }
    scan = try scan(opened)
    file = opened
    guard scan.isForeign else { return scan.newest?.payload }
    let why = scan.newer > 0 ? "a newer version wrote it" : "it is damaged"
    if opened.refusal == nil {
      try replace(because: why)
    } else {
      // The file is not replaced. If another process has locked the file, the file belongs to that process. If the file
      // cannot be written for another reason, it cannot be renamed either.
      addNotice(.damaged, "it has no valid state: \(why); the unit starts with defaults")
    }
    return nil
  }

  /// Puts the file aside and creates a new file. The old file stays locked until the new file exists.
  private mutating func replace(because why: String) throws(StateFailure) {
    let old = file
    let aside = try folder.putAside()
    let kept = aside.map { "kept as \($0)" } ?? "removed, because it was too large to keep"
    addNotice(
      .damaged, "it has no valid state: \(why); the unit starts with defaults; the file is \(kept)")
    scan = SlotScan(layout)
    file = try folder.open()
    withExtendedLifetime(old) {}
  }

  /// Scans all slots of a file, and only counts slots that cannot be read. If no slot can be read, the fault is in the
  /// medium and not in the file. Then this function throws, so that the file is not replaced.
  private func scan(_ file: any StateFile) throws(StateFailure) -> SlotScan {
    var scan = SlotScan(layout)
    for index in 0..<layout.slots {
      do throws(StateFailure) {
        let bytes = try file.read(layout.slotBytes, at: index * layout.slotBytes)
        scan.add(bytes[...], at: index)
      } catch {
        scan.add(nil, at: index)
        if scan.unreadable == layout.slots { throw error }
      }
    }
    return scan
  }

  /// Fills the file with zeros to its full size before the first slot is written. So later writes change only a slot
  /// and no metadata. If the file had a hole, or space that is only reserved, the first write of each slot would change
  /// metadata. Existing bytes are not changed, because they can contain the newest slot. Returns true if bytes were
  /// missing.
  private func preallocate(_ file: any StateFile) throws(StateFailure) -> Bool {
    let size = try file.size()
    guard size < layout.fileBytes else { return false }
    try file.write([UInt8](repeating: 0, count: layout.fileBytes - size), at: size)
    return true
  }

  private mutating func fail(_ refusal: StateRefusal, at now: Double) {
    if retry == nil {
      addNotice(
        .notSaving, "\(text(of: refusal)); the state is not saved until this works",
        refusal: refusal)
    }
    retry = now + pause
    pause = min(pause * 2, Self.longestPause)
  }

  private mutating func addNotice(
    _ kind: StateNotice.Kind, _ sentence: String, refusal: StateRefusal? = nil
  ) {
    // If a damaged file cannot be replaced, each attempt finds the same file again. Its notice is given only once.
    let notice = StateNotice(kind: kind, text: "\(folder.path): \(sentence)", refusal: refusal)
    if kind == .damaged, !reportedTexts.insert(notice.text).inserted { return }
    notices.append(notice)
  }

  private func text(of refusal: StateRefusal) -> String {
    switch refusal {
    case .locked: "another process has locked it"
    case .system(let failure): text(of: failure)
    }
  }

  private func text(of failure: StateFailure) -> String {
    "\(failure.operation.rawValue): \(systemWords(failure.code))"
  }
}
