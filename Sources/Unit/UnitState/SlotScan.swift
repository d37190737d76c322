/// What is in a state's file, and where the next state goes.
struct SlotScan: Equatable {
  /// Slots of a file. They are written in turn, so the newest is never touched by a write, and
  /// what a dying write does to its neighbourhood in the flash meets the oldest ones.
  static let slots = 64
  /// Bytes of a file.
  static let fileBytes = slots * Slot.bytes

  /// The newest whole slot.
  private(set) var newest: Slot?
  private var newestPlace = -1
  /// Slots that are neither whole nor blank. One is nothing to speak of: power was cut there.
  private(set) var damaged = 0
  /// Slots that the medium cannot read now, and perhaps can the next time.
  private(set) var unreadable = 0
  /// Whole slots of a newer program.
  private(set) var newer = 0

  /// Of an empty file.
  init() {}

  /// Of a file that begins with `bytes`.
  init(_ bytes: [UInt8]) {
    for place in 0..<Self.slots {
      let start = min(place * Slot.bytes, bytes.count)
      add(bytes[start..<min(start + Slot.bytes, bytes.count)], at: place)
    }
  }

  /// Goes on with the slot at `place`; nil where it cannot be read.
  mutating func add(_ bytes: ArraySlice<UInt8>?, at place: Int) {
    switch bytes.map(Slot.read) {
    case .slot(let slot)?:
      if newest.map(slot.isNewer) ?? true { (newest, newestPlace) = (slot, place) }
    case .blank?: break
    case .newer?: newer += 1
    case .damaged?: damaged += 1
    case nil: unreadable += 1
    }
  }

  /// There is no state in it, but something else.
  var isForeign: Bool { newest == nil && damaged + newer > 0 }

  /// Where the next state goes, as the number of a slot: behind the newest, around the end.
  var nextPlace: Int { (newestPlace + 1) % Self.slots }

  /// The next state's sequence number: higher than what unreadable slots may have, so that they
  /// are not the newest when they can be read again.
  var nextSequence: UInt64 {
    newest.map { $0.sequence &+ 1 &+ UInt64(unreadable) } ?? UInt64(unreadable)
  }

  /// A slot was written at ``nextPlace``.
  mutating func wrote(_ slot: Slot) {
    newestPlace = nextPlace
    newest = slot
    unreadable = 0
  }
}
