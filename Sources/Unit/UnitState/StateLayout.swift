/// How many slots a state file has, and how large they are.
public struct StateLayout: Equatable, Sendable {
  /// The size of a slot in bytes; a multiple of ``Slot/sector``.
  let slotBytes: Int
  /// Number of slots. The slots are written in turn, so a write never changes the newest slot. A power cut during a
  /// write may also damage the flash directly after the slot that is written. The slot there is the oldest one, so the
  /// newest slot stays whole.
  let slots: Int

  /// The state of the unit: small, and written each second.
  public static let state = StateLayout(slotBytes: 2 * Slot.sector, slots: 64)
  /// The queue: up to 10 000 entries, written after an edit.
  public static let queue = StateLayout(slotBytes: 1 << 20, slots: 3)

  /// The size of a file in bytes.
  var fileBytes: Int { slots * slotBytes }
  /// Maximum bytes of a state.
  public var maximumPayload: Int { slotBytes - Slot.headerBytes }
}
