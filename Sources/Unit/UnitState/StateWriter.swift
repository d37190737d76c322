internal import Threads

/// Reads the state once, and saves each new one in the next slot; when it cannot, it tries again
/// after 1, 2, 4 … 60 seconds. Without a thread: the store's worker calls it, and tests do.
///
/// Moments are seconds of any clock that does not go back.
struct StateWriter {
  private static let longestPause = 60.0

  private let folder: any StateFolder
  private var file: (any StateFile)?
  private var scan = SlotScan()
  /// How long to wait after the next failure.
  private var pause = 1.0
  /// When it may be tried again; nil while all is well.
  private(set) var retry: Double?
  private var notices: [StateNotice] = []
  private var told: Set<String> = []

  init(_ folder: any StateFolder) { self.folder = folder }

  /// What was saved last; nil for nothing, or nothing that can be read.
  mutating func open(at now: Double) -> [UInt8]? {
    do throws(StateFailure) {
      let payload = try openFile()
      if let refusal = file?.refusal {
        file = nil
        fail(words(refusal), at: now)
      }
      return payload
    } catch {
      fail(words(error), at: now)
      return nil
    }
  }

  /// Saves a state, and returns whether the medium has it. Tries in any case: whether it is time
  /// to is the caller's business (``retry``).
  mutating func save(_ payload: [UInt8], at now: Double) -> Bool {
    do throws(StateFailure) {
      if file?.isInPlace != true {
        file = nil
        try openFile()
      }
      guard let file else { return false }
      if let refusal = file.refusal {
        self.file = nil
        fail(words(refusal), at: now)
        return false
      }
      let isNew = try preallocate(file)
      let slot = Slot(sequence: scan.nextSequence, payload: payload)
      try file.write(slot.encoded, at: scan.nextPlace * Slot.bytes)
      try file.synchronise(isNew: isNew)
      scan.wrote(slot)
    } catch {
      // What is on the medium now is anybody's guess, so it is looked at again.
      file = nil
      fail(words(error), at: now)
      return false
    }
    if retry != nil { tell(.savingAgain, "saved again") }
    retry = nil
    pause = 1
    return true
  }

  /// Takes the news.
  mutating func takeNotices() -> [StateNotice] {
    defer { notices = [] }
    return notices
  }

  // MARK: Parts

  /// Opens the file and looks for the newest slot. One that is not ours makes place for another.
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
    scan = try Self.scan(opened)
    file = opened
    guard scan.isForeign else { return scan.newest?.payload }
    let why = scan.newer > 0 ? "it is of a newer version" : "it is damaged, or somebody else's"
    if opened.refusal == nil {
      try replace(because: why)
    } else {
      // What another process has open is its own, and the other refusals hold for putting aside
      // too.
      tell(.damaged, "no state in it, as \(why); beginning with defaults")
    }
    return nil
  }

  /// Makes a new file in place of this one, whose lock is held until that is done.
  private mutating func replace(because why: String) throws(StateFailure) {
    let old = file
    let aside = try folder.putAside()
    let kept = aside.map { "kept as \($0)" } ?? "removed, as it was too large to keep"
    tell(.damaged, "no state in it, as \(why); beginning with defaults, and it is \(kept)")
    scan = SlotScan()
    file = try folder.open()
    withExtendedLifetime(old) {}
  }

  /// Slots that cannot be read are left out. Where that is all of them, the medium is at fault and
  /// not the file, which is left as it is.
  private static func scan(_ file: any StateFile) throws(StateFailure) -> SlotScan {
    var scan = SlotScan()
    for place in 0..<SlotScan.slots {
      do throws(StateFailure) {
        let bytes = try file.read(Slot.bytes, at: place * Slot.bytes)
        scan.add(bytes[...], at: place)
      } catch {
        scan.add(nil, at: place)
        if scan.unreadable == SlotScan.slots { throw error }
      }
    }
    return scan
  }

  /// Gives the file all its bytes before the first slot is written, so that no later write needs
  /// room or changes anything but a slot. Zeros are written, as a file system would have to note
  /// down of a hole or a mere promise of room that it was filled. What is there is not touched, as
  /// the newest slot may be among it. Returns whether anything was missing.
  private func preallocate(_ file: any StateFile) throws(StateFailure) -> Bool {
    let size = try file.size()
    guard size < SlotScan.fileBytes else { return false }
    try file.write([UInt8](repeating: 0, count: SlotScan.fileBytes - size), at: size)
    return true
  }

  private mutating func fail(_ reason: String, at now: Double) {
    if retry == nil { tell(.notSaving, "\(reason); nothing is saved until it can be") }
    retry = now + pause
    pause = min(pause * 2, Self.longestPause)
  }

  private mutating func tell(_ kind: StateNotice.Kind, _ words: String) {
    // The same again, as a damaged file that cannot be written is found with each attempt.
    let notice = StateNotice(kind: kind, text: "\(folder.path): \(words)")
    if kind == .damaged, !told.insert(notice.text).inserted { return }
    notices.append(notice)
  }

  private func words(_ refusal: StateRefusal) -> String {
    switch refusal {
    case .locked: "another process saves there"
    case .system(let failure): words(failure)
    }
  }

  private func words(_ failure: StateFailure) -> String {
    "\(failure.operation.rawValue): \(systemWords(failure.code))"
  }
}
