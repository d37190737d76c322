/// An item of a ``PlayQueue``.
public protocol QueueItem {
  /// Identifies the album of the item: items of one album have equal values. Used if albums are shuffled.
  var albumIdentity: String { get }
  /// Identifies the song, also in another queue of the same run.
  var songKey: UInt64 { get }
}
