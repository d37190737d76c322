public import LibraryModel

/// The queue as it is saved: which entries there are, in which order, and from which list they come.
///
/// Paths are relative to their volumes, so an entry is found again on a stick that has another kernel name.
public struct SavedQueue: Equatable, Sendable {
  /// An entry of the queue.
  public struct Entry: Equatable, Sendable {
    /// The number of the entry, which does not change. Nil if a saved queue has no number for it that can be used; see
    /// ``EntryID/numbered(_:)``.
    public var id: EntryID?
    /// Which song it is.
    public var reference: SongReference
    /// The title in the tags; empty if the file has none.
    public var title: String
    /// The artist in the tags; empty if the file has none.
    public var artist: String
    /// The album in the tags; empty if the file has none.
    public var album: String
    /// The duration. Zero if it is not known.
    public var duration: SongTime
    /// Identifies the state of the file; 0 if it is not known.
    public var stamp: UInt32

    public init(
      id: EntryID?, _ reference: SongReference, title: String = "", artist: String = "",
      album: String = "", duration: SongTime = .zero, stamp: UInt32 = 0
    ) {
      self.id = id
      self.reference = reference
      self.title = title
      self.artist = artist
      self.album = album
      self.duration = duration
      self.stamp = stamp
    }
  }

  /// A shuffled order.
  public struct Shuffle: Equatable, Sendable {
    /// Determines the order.
    public var seed: UInt64
    /// The hash that comes first.
    public var start: UInt64
    /// The keys of the entries that were put at a position of their own, by the number of the entry.
    public var keys: [EntryID: UInt64]

    public init(seed: UInt64, start: UInt64, keys: [EntryID: UInt64] = [:]) {
      self.seed = seed
      self.start = start
      self.keys = keys
    }
  }

  /// The list from which the queue was made.
  public struct Context: Equatable, Sendable {
    /// The name of the list in the library.
    public var list: String
    /// The title of the list, for people.
    public var title: String
    /// The name of the list in which the list was chosen.
    public var parent: String
    /// True if a person has removed songs from the queue.
    public var isReduced: Bool

    public init(list: String, title: String, parent: String, isReduced: Bool = false) {
      self.list = list
      self.title = title
      self.parent = parent
      self.isReduced = isReduced
    }
  }

  /// Grows with each saved queue, so that a saved entry can say to which queue it belongs. At most ``maximumNumber``.
  public var number: UInt64 = 0
  /// The entries in the original order.
  public var entries: [Entry] = []
  /// The number of the current entry. Nil if there is none.
  public var current: EntryID?
  /// Nil without shuffle.
  public var shuffle: Shuffle?
  /// Nil if the queue was made from no list.
  public var context: Context?
  /// What a saved queue has lost.
  public internal(set) var damage = StoredDamage()

  /// The largest ``number``.
  public static let maximumNumber: UInt64 = 1 << 62
  /// Maximum number of entries. Further entries are not saved.
  public static let maximumEntries = 10_000
  /// Maximum bytes of a title, an artist or an album. A longer text is cut.
  public static let maximumTextBytes = 256

  /// An empty queue.
  public init() {}

  /// The number of the queue after one with this number. The first number follows the last one.
  public static func number(after number: UInt64) -> UInt64 {
    number < maximumNumber ? number &+ 1 : 1
  }
}
