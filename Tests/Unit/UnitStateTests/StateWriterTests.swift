import Glibc
import Synchronization
import Testing

@testable import UnitState

/// The state that can be read after faults of the medium.
@Suite struct StateWriterTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The state that a newly started program reads.
  private func read(_ bytes: [UInt8]) -> [UInt8]? {
    var writer = StateWriter(MemoryFolder(bytes))
    return writer.open(at: 0)
  }

  /// A file after `count` saves. The save with the number n stores `payload(n)`.
  private func file(saves count: Int, payload: (Int) -> [UInt8]) -> MemoryFolder {
    let folder = MemoryFolder()
    var writer = StateWriter(folder)
    _ = writer.open(at: 0)
    for number in 1...count { _ = writer.save(payload(number), at: 0) }
    return folder
  }

  private func text(_ number: Int) -> [UInt8] { bytes("state \(number)") }

  // MARK: Saving

  @Test func open_emptyFile_returnsNil_withoutANotice() {
    var writer = StateWriter(MemoryFolder())
    #expect(writer.open(at: 0) == nil)
    #expect(writer.takeNotices().isEmpty)
  }

  @Test func save_isReadBack_andUsesTheSlotsInTurn() {
    let folder = MemoryFolder()
    var writer = StateWriter(folder)
    _ = writer.open(at: 0)
    for number in 1...200 {
      #expect(writer.save(text(number), at: 0) == true)
      #expect(read(folder.bytes) == text(number))
    }
    // The first write fills the whole file. The writes after it use the slots in turn, so each slot is written three or
    // four times.
    let writes = folder.state.withLock { $0.writes }
    #expect(writes[0] == 0..<StateLayout.state.fileBytes)
    let counts = Dictionary(writes.dropFirst().map { ($0.lowerBound, 1) }, uniquingKeysWith: +)
    #expect(counts.count == StateLayout.state.slots)
    #expect(counts.values.allSatisfy { (3...4).contains($0) })
    #expect(writes.dropFirst().allSatisfy { $0.count == Slot.sector })
    #expect(folder.bytes.count == StateLayout.state.fileBytes)
    let synchronised = folder.state.withLock { $0.synchronised }
    #expect(synchronised == 200)
  }

  // MARK: Power cuts

  /// A write is cut off after each possible number of bytes. The write goes to a blank slot or to a used slot, with a
  /// short or a long state.
  @Test(arguments: [3, 70], [10, 5000])
  func writeCutAtAnyByte_leavesTheOldOrTheNewState(saves: Int, length: Int) {
    let payload = { (number: Int) in
      bytes("\(number) ") + [UInt8](repeating: UInt8(number), count: length)
    }
    let before = file(saves: saves, payload: payload).bytes
    let scan = SlotScan(before)
    let next = Slot(sequence: scan.nextSequence, payload: payload(saves + 1)).encoded
    let start = scan.nextIndex * StateLayout.state.slotBytes
    var old = 0
    var torn = before
    for count in 0...next.count {
      if count > 0 { torn[start + count - 1] = next[count - 1] }
      // Only the slot of the interrupted write and the slot of the last save are scanned, because all other slots are
      // older.
      var after = SlotScan()
      for index in [
        scan.nextIndex, (scan.nextIndex + StateLayout.state.slots - 1) % StateLayout.state.slots,
      ] {
        after.add(
          torn[index * StateLayout.state.slotBytes..<(index + 1) * StateLayout.state.slotBytes],
          at: index)
      }
      let state = after.newest?.payload
      if state == payload(saves) { old += 1 } else { #expect(state == payload(saves + 1)) }
      if count % 511 == 0 { #expect(read(torn) == state) }
    }
    // The new state is valid as soon as the last byte of its payload is written. The zeros after the payload do not
    // matter.
    #expect(old <= Slot.headerBytes + payload(saves + 1).count)
    #expect(old > Slot.headerBytes)
  }

  /// A disk can write the sectors of one call in any order. So each combination of written and unwritten sectors is
  /// tested.
  @Test func sectorsInAnyOrder_leaveTheOldOrTheNewState() {
    let payload = { (number: Int) in [UInt8](repeating: UInt8(number), count: 6000) }
    let before = file(saves: 70, payload: payload).bytes
    let scan = SlotScan(before)
    let next = Slot(sequence: scan.nextSequence, payload: payload(71)).encoded
    let start = scan.nextIndex * StateLayout.state.slotBytes
    for written in UInt16.min..<1 << 12 {
      var torn = before
      for sector in 0..<next.count / 512 where written >> sector & 1 == 1 {
        let part = sector * 512..<(sector + 1) * 512
        torn.replaceSubrange(start + part.lowerBound..<start + part.upperBound, with: next[part])
      }
      var after = SlotScan()
      for index in [scan.nextIndex - 1, scan.nextIndex] {
        after.add(
          torn[index * StateLayout.state.slotBytes..<(index + 1) * StateLayout.state.slotBytes],
          at: index)
      }
      #expect(after.newest?.payload == payload(70) || after.newest?.payload == payload(71))
    }
  }

  /// Cuts the power after a random number of bytes in each round. The first rounds only extend the file, because the
  /// power is cut before the file has its full size.
  @Test func repeatedCuts_keepTheLastSavedState() {
    let folder = MemoryFolder()
    var random = SystemRandomNumberGenerator()
    var last: [UInt8]?
    var (round, saved) = (0, 0)
    while saved < 50, round < 10_000 {
      round += 1
      var writer = StateWriter(folder)
      let found = writer.open(at: 0)
      if last != nil { #expect(found == last) }
      let state = text(round)
      folder.fault = .cut(after: .random(in: 0...5000, using: &random))
      let isSaved = writer.save(state, at: 0)
      folder.fault = nil
      // If only zeros after the state are missing, the save fails, but the state can be read.
      let now = read(folder.bytes)
      #expect(now == state || now == last)
      #expect(!isSaved || now == state)
      last = now ?? last
      if isSaved { saved += 1 }
    }
    #expect(saved == 50)
  }

  @Test func incompleteFile_isExtendedAtTheNextSave() {
    for size in [0, 1, 4096, 100_000] {
      let folder = MemoryFolder([UInt8](repeating: 0, count: size))
      var writer = StateWriter(folder)
      #expect(writer.open(at: 0) == nil)
      #expect(writer.save(text(1), at: 0) == true)
      #expect(writer.takeNotices().isEmpty)
      #expect(folder.bytes.count == StateLayout.state.fileBytes)
      #expect(read(folder.bytes) == text(1))
    }
  }

  @Test func fileThatEndsWithinASlot_keepsItsState() {
    let short = Array(
      file(saves: 3, payload: text).bytes.prefix(2 * StateLayout.state.slotBytes + 4096))
    let folder = MemoryFolder(short)
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == text(3))
    // Power is cut while the file is extended.
    folder.fault = .cut(after: 10)
    #expect(writer.save(text(4), at: 0) == false)
    #expect(read(folder.bytes) == text(3))
    folder.fault = nil
    #expect(writer.save(text(4), at: 0) == true)
    #expect(read(folder.bytes) == text(4))
  }

  // MARK: Damage

  @Test func randomBitFlips_returnOnlySavedStates() {
    let whole = file(saves: 100, payload: text).bytes
    let saved = Set((1...100).map(text))
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<200 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << Int.random(in: 0..<8)
      }
      if let state = read(bytes) { #expect(saved.contains(state)) }
    }
  }

  @Test func damagedNewestSlot_returnsThePreviousState_withoutANotice() {
    var bytes = file(saves: 5, payload: text).bytes
    bytes[4 * StateLayout.state.slotBytes + 38] ^= 1
    let folder = MemoryFolder(bytes)
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == text(4))
    #expect(writer.takeNotices().isEmpty)
    #expect(writer.save(text(6), at: 0) == true)
    #expect(read(folder.bytes) == text(6))
  }

  @Test func unreadableSlot_isSkipped() {
    let folder = file(saves: 5, payload: text)
    folder.state.withLock { $0.unreadable = [4, 9] }
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == text(4))
    #expect(writer.takeNotices().isEmpty)
  }

  @Test func slotsReadableAgain_areOlderThanTheNextSave() {
    let folder = file(saves: 10, payload: text)
    folder.state.withLock { $0.unreadable = [5, 6, 7, 8, 9] }
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == text(5))
    #expect(writer.save(text(11), at: 0) == true)
    folder.state.withLock { $0.unreadable = [] }
    #expect(read(folder.bytes) == text(11))
  }

  @Test func unreadableMedium_keepsItsFile() {
    let folder = file(saves: 3, payload: text)
    folder.state.withLock { $0.unreadable = Set(0..<StateLayout.state.slots) }
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == nil)
    #expect(writer.save(text(4), at: 1) == false)
    let notices = writer.takeNotices()
    #expect(notices.map(\.kind) == [.notSaving])
    #expect(notices.first?.refusal == .system(StateFailure(operation: .read, code: EIO)))
    let aside = folder.state.withLock { $0.aside }
    #expect(aside == nil)
    #expect(read(folder.bytes) == text(3))
  }

  @Test(arguments: [1, 5000, 300_000, StateLayout.state.fileBytes + 5])
  func invalidFile_isRenamed_withANotice(count: Int) {
    let noise = (0..<count).map { _ in UInt8.random(in: 1...255) }
    let folder = MemoryFolder(noise)
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == nil)
    let notices = writer.takeNotices()
    #expect(notices.map(\.kind) == [.damaged])
    #expect(notices.first?.text.hasPrefix("/data/state: ") == true)
    #expect(notices.first?.text.hasSuffix(" /data/state.damaged") == true)
    let aside = folder.state.withLock { $0.aside }
    #expect(aside == noise)
    #expect(writer.save(text(1), at: 0) == true)
    #expect(read(folder.bytes) == text(1))
  }

  @Test func folderInPlaceOfTheFile_isRenamed() {
    let folder = MemoryFolder()
    folder.fault = .notAFile
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == nil)
    #expect(writer.takeNotices().map(\.kind) == [.damaged])
    #expect(writer.save(text(1), at: 0) == true)
  }

  // MARK: Media that cannot be written

  @Test(arguments: [
    (MemoryFolder.Fault.missing, StateRefusal.system(.init(operation: .open, code: ENOENT))),
    (.readOnly, .system(.init(operation: .open, code: EROFS))),
    (.full, .system(.init(operation: .write, code: ENOSPC))),
    (.locked, .locked),
    (.lostOnSynchronise, .system(.init(operation: .write, code: EIO))),
  ])
  func failure_andItsEnd_areReportedOnce(_ fault: MemoryFolder.Fault, _ refusal: StateRefusal) {
    let folder = MemoryFolder()
    folder.fault = fault
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == nil)
    for now in 1...5 { #expect(writer.save(text(1), at: Double(now)) == false) }
    let notices = writer.takeNotices()
    #expect(notices.map(\.kind) == [.notSaving])
    #expect(notices.first?.text.hasPrefix("/data/state: ") == true)
    #expect(notices.first?.refusal == refusal)
    folder.fault = nil
    #expect(writer.save(text(2), at: 9) == true)
    #expect(writer.retry == nil)
    #expect(writer.takeNotices().map(\.kind) == [.savingAgain])
    #expect(read(folder.bytes) == text(2))
  }

  @Test func readOnlyOrLockedFile_isRead() {
    for fault in [MemoryFolder.Fault.readOnly, .locked] {
      let folder = file(saves: 3, payload: text)
      folder.fault = fault
      var writer = StateWriter(folder)
      #expect(writer.open(at: 0) == text(3))
      #expect(writer.takeNotices().map(\.kind) == [.notSaving])
    }
  }

  @Test func readOnlyForeignFile_isKept_andReportedOnce() {
    let folder = MemoryFolder([1, 2, 3])
    folder.fault = .readOnly
    var writer = StateWriter(folder)
    #expect(writer.open(at: 0) == nil)
    for now in 1...5 { _ = writer.save(text(1), at: Double(now)) }
    #expect(writer.takeNotices().map(\.kind) == [.damaged, .notSaving])
    #expect(folder.bytes == [1, 2, 3])
  }

  @Test func retryPause_doubles_upToAMinute() {
    let folder = MemoryFolder()
    folder.fault = .missing
    var writer = StateWriter(folder)
    _ = writer.open(at: 0)
    var pauses: [Double] = []
    var now = 0.0
    for _ in 0..<8 {
      let retry = writer.retry ?? .nan
      pauses.append(retry - now)
      now = retry
      _ = writer.save(text(1), at: now)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
    folder.fault = nil
    _ = writer.save(text(1), at: now)
    folder.fault = .missing
    _ = writer.save(text(1), at: now)
    #expect(writer.retry == now + 1)
  }

  @Test func fullMedium_acceptsSavesIntoACompleteFile() {
    let folder = file(saves: 1, payload: text)
    folder.fault = .full
    var writer = StateWriter(folder)
    _ = writer.open(at: 0)
    for number in 2...100 { #expect(writer.save(text(number), at: 0) == true) }
    #expect(read(folder.bytes) == text(100))
  }

  @Test func fileRemovedWhileOpen_isCreatedAgain() {
    let folder = file(saves: 1, payload: text)
    var writer = StateWriter(folder)
    _ = writer.open(at: 0)
    folder.state.withLock { $0.bytes = nil }
    #expect(writer.save(text(2), at: 0) == true)
    #expect(read(folder.bytes) == text(2))
  }
}
