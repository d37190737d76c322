/// An item of a ``PlayQueue``.
public protocol QueueItem {
  /// Identifies the album of the item: items of one album have equal values. Used if albums are shuffled.
  var albumIdentity: String { get }
  /// The items of an album are in the order of these numbers, if albums are shuffled. Items with equal numbers, such as
  /// 0 for an unknown number, keep the order of the list.
  var numberInAlbum: UInt32 { get }
  /// Identifies the song, also in another queue of the same run.
  var songKey: UInt64 { get }
}
