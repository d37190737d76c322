/// The number and the size of the slots of a state file.
public struct StateLayout: Equatable, Sendable {
  /// The size of a slot in bytes; a multiple of ``Slot/sector``.
  let slotBytes: Int
  /// Number of slots. The slots are written in turn, so a write never changes the newest slot. A power cut during a
  /// write can also damage the flash directly after the written slot. That part of the flash contains the oldest slot,
  /// so the newest slot stays whole.
  let slots: Int

  /// The layout for the state of the unit, which is small and is written about once per second during playback.
  public static let state = StateLayout(slotBytes: 2 * Slot.sector, slots: 64)
  /// The layout for the queue, which has up to 10 000 entries and is written after an edit.
  public static let queue = StateLayout(slotBytes: 1 << 20, slots: 3)

  /// The size of the state file in bytes.
  var fileBytes: Int { slots * slotBytes }
  /// Maximum size of a state in bytes.
  public var maximumPayload: Int { slotBytes - Slot.headerBytes }
}
