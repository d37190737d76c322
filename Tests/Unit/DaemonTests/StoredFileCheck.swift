@testable import Settings
@testable import UnitState

/// Checks the promises that the reader of a stored file must keep for any bytes. `Tests/Fuzz/StateFuzzer.swift` uses
/// this type, too.
enum StoredFileCheck: UInt8, CaseIterable {
  case state, queue, recentLists, playlist, settings, slots

  /// A promise that was not kept.
  struct Fault: Error {
    let text: String
  }

  /// Reads the bytes, writes the result, and reads the written bytes again.
  func check(_ bytes: [UInt8]) throws(Fault) {
    switch self {
    case .state: try Self.checkState(bytes)
    case .queue: try Self.checkQueue(bytes)
    case .recentLists: try Self.checkRecentLists(bytes)
    case .playlist: try Self.checkPlaylist(bytes)
    case .settings: try Self.checkSettings(bytes)
    case .slots: try Self.checkSlots(bytes)
    }
  }

  private static func expect(
    _ condition: Bool, _ text: @autoclosure () -> String
  ) throws(Fault) {
    if !condition { throw Fault(text: text()) }
  }

  private static func checkState(_ bytes: [UInt8]) throws(Fault) {
    var damage = StoredDamage()
    guard var state = try? UnitState(decoding: bytes, damage: &damage) else { return }
    let encoded = state.encoded()
    try expect(encoded.count <= UnitState.maximumEncodedBytes, "\(encoded.count) bytes")
    damage = StoredDamage()
    let again = try? UnitState(decoding: encoded, damage: &damage)
    try expect(again == state && damage.isEmpty, "\(state) is not \(again as Any): \(damage)")
    state.starts.begin(reasonOfLast: "crashed", boot: "1")
    state.starts.reach(.steady)
    let stick = MountedStick(identity: state.file?.stick?.identity ?? "", point: [0x2F, 0x61])
    _ = state.file?.candidates(in: [[0x2F]], on: [stick])
    try expect(
      state.starts.failuresInARow < StartHistory.maximumCount, "\(state.starts.failuresInARow)")
  }

  /// Invalid texts become longer when they are read, and are cut when they are written. So the first comparison is
  /// between the queue that was written once and the queue that was written twice.
  private static func checkQueue(_ bytes: [UInt8]) throws(Fault) {
    guard let queue = try? SavedQueue(decoding: bytes) else { return }
    let ids = queue.entries.compactMap(\.id)
    try expect(Set(ids).count == queue.entries.count, "numbers occur twice")
    try expect(queue.number <= SavedQueue.maximumNumber, "\(queue.number)")
    let one = try written(queue)
    let two = try written(one)
    try expect(one == two, "\(one) is not \(two)")
    try expect(one.entries.map(\.id) == queue.entries.map(\.id), "other numbers")
    try expect(one.entries.map(\.reference) == queue.entries.map(\.reference), "other songs")
    try expect(one.entries.map(\.duration) == queue.entries.map(\.duration), "other durations")
  }

  private static func written(_ queue: SavedQueue) throws(Fault) -> SavedQueue {
    let limit = StateLayout.queue.maximumPayload
    let (encoded, left) = queue.encoded(limit: limit)
    try expect(encoded.count <= limit && left == 0, "\(left) entries are left out")
    guard let read = try? SavedQueue(decoding: encoded), read.damage.isEmpty else {
      throw Fault(text: "\(queue) cannot be read")
    }
    return read
  }

  private static func checkRecentLists(_ bytes: [UInt8]) throws(Fault) {
    guard let lists = try? RecentLists(decoding: bytes) else { return }
    try expect(lists.entries.count <= RecentLists.maximumEntries, "\(lists.entries.count) lists")
    try expect(lists.entries.allSatisfy { $0.heard ?? 0 <= 1000 }, "heard more than all")
    let one = try written(lists)
    let two = try written(one)
    try expect(one == two && one.entries.count == lists.entries.count, "\(one) is not \(two)")
  }

  private static func written(_ lists: RecentLists) throws(Fault) -> RecentLists {
    guard let read = try? RecentLists(decoding: lists.encoded(limit: 1 << 20)), read.damage.isEmpty
    else { throw Fault(text: "\(lists) cannot be read") }
    return read
  }

  private static func checkPlaylist(_ bytes: [UInt8]) throws(Fault) {
    let list = OwnPlaylist(decoding: bytes)
    let encoded = list.encoded()
    try expect(encoded.count <= 200 + 32 * bytes.count, "\(bytes.count) become \(encoded.count)")
    let one = OwnPlaylist(decoding: encoded)
    let two = OwnPlaylist(decoding: one.encoded())
    try expect(one.isWhole && two.isWhole && one == two, "\(one) is not \(two)")
    try expect(one.identities == list.identities, "other songs")
    try expect(one.identities.allSatisfy { $0 > 0 }, "an identity is not above 0")
    try expect(one.entries.map(\.duration) == list.entries.map(\.duration), "other durations")
    try expect(one.entries.map(\.bookmark) == list.entries.map(\.bookmark), "other bookmarks")
    try expect(one.entries.map(\.opinion) == list.entries.map(\.opinion), "other opinions")
  }

  private static func checkSettings(_ bytes: [UInt8]) throws(Fault) {
    func read(_ bytes: [UInt8]) -> Configuration {
      Configuration(
        [.init(name: "settings.conf", bytes: bytes, layer: .driver)],
        checks: SettingChecks(output: { _ in nil }, amplifier: { _ in nil }))
    }
    let one = read(bytes)
    let two = read(one.driver.bytes)
    try expect(!two.driver.isDamaged, "the written file is damaged: \(two.notices)")
    try expect(two.settings == one.settings, "other settings")
    try expect(two.driver.bytes == one.driver.bytes, "other values")
  }

  private static func checkSlots(_ bytes: [UInt8]) throws(Fault) {
    let layout = StateLayout.state
    let scan = SlotScan(bytes, layout)
    try expect((0..<layout.slots).contains(scan.nextIndex), "slot \(scan.nextIndex)")
    guard let slot = scan.newest else { return }
    try expect(slot.payload.count <= layout.maximumPayload, "\(slot.payload.count) bytes")
    let next = Slot(sequence: scan.nextSequence, payload: slot.payload)
    try expect(scan.unreadable == 0 && next.isNewer(than: slot), "\(next.sequence) is not newer")
    try expect(Slot.read(slot.encoded[...]) == .slot(slot), "the slot cannot be read")
  }
}
