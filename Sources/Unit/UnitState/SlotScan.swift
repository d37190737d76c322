/// The result of reading all slots of a state file: the newest state, and the slot for the next state.
struct SlotScan: Equatable {
  /// The number and the size of the slots.
  let layout: StateLayout

  /// The newest whole slot.
  private(set) var newest: Slot?
  private var newestIndex = -1
  /// Number of slots that are neither whole nor blank. One such slot is normal if the power was cut during a write.
  private(set) var damaged = 0
  /// Number of slots that the medium cannot read now. A later attempt can succeed.
  private(set) var unreadable = 0
  /// Number of whole slots that a newer program has written.
  private(set) var newer = 0

  /// Creates the scan of an empty file.
  init(_ layout: StateLayout = .state) { self.layout = layout }

  /// Scans a file with the contents `bytes`. If bytes are missing at the end, the missing slots count as blank.
  init(_ bytes: [UInt8], _ layout: StateLayout = .state) {
    self.init(layout)
    for index in 0..<layout.slots {
      let start = min(index * layout.slotBytes, bytes.count)
      add(bytes[start..<min(start + layout.slotBytes, bytes.count)], at: index)
    }
  }

  /// Adds the slot at `index` to the scan. `bytes` is nil if the medium cannot read the slot.
  mutating func add(_ bytes: ArraySlice<UInt8>?, at index: Int) {
    switch bytes.map(Slot.read) {
    case .slot(let slot)?:
      if newest.map(slot.isNewer) ?? true { (newest, newestIndex) = (slot, index) }
    case .blank?: break
    case .newer?: newer += 1
    case .damaged?: damaged += 1
    case nil: unreadable += 1
    }
  }

  /// True if no slot contains a readable state, but some slots are damaged or were written by a newer program.
  var isForeign: Bool { newest == nil && damaged + newer > 0 }

  /// The index of the slot for the next state: the slot after the newest slot. The first slot follows the last slot.
  var nextIndex: Int { (newestIndex + 1) % layout.slots }

  /// The sequence number of the next state. It is higher than each sequence number that an unreadable slot can have. So
  /// a slot that becomes readable again is never taken as the newest slot.
  var nextSequence: UInt64 {
    newest.map { $0.sequence &+ 1 &+ UInt64(unreadable) } ?? UInt64(unreadable)
  }

  /// Records that `slot` was written at ``nextIndex``.
  mutating func wrote(_ slot: Slot) {
    newestIndex = nextIndex
    newest = slot
    unreadable = 0
  }

  /// Frees the bytes of the newest state. Keeps its sequence number and the index of its slot.
  mutating func dropPayload() { newest?.payload = [] }
}
