public import LibraryModel

/// The queue in the form in which it is saved: its entries, their order, and the list from which they come.
///
/// Paths are relative to their volumes, so an entry is found again on a stick that has another kernel name.
public struct SavedQueue: Equatable, Sendable {
  /// An entry of the queue.
  public struct Entry: Equatable, Sendable {
    /// The number of the entry, which stays the same when the order changes. Nil if the number in the saved queue is
    /// invalid; ``EntryID/numbered(_:)`` then gives the entry a new number.
    public var id: EntryID?
    /// The song: its volume and its path.
    public var reference: SongReference
    /// The title in the tags; empty if the file has none.
    public var title: String
    /// The artist in the tags; empty if the file has none.
    public var artist: String
    /// The album in the tags; empty if the file has none.
    public var album: String
    /// The duration. ``SongTime/zero`` if it is not known.
    public var duration: SongTime
    /// A hash of the size and the time of change of the file (`FileStamp`). 0 if the size and the time are not known.
    public var stamp: UInt32
    /// The songs of an album play in the order of these numbers. 0 if the number is not known.
    public var numberInAlbum: UInt32

    public init(
      id: EntryID?, _ reference: SongReference, title: String = "", artist: String = "",
      album: String = "", duration: SongTime = .zero, stamp: UInt32 = 0, numberInAlbum: UInt32 = 0
    ) {
      self.id = id
      self.reference = reference
      self.title = title
      self.artist = artist
      self.album = album
      self.duration = duration
      self.stamp = stamp
      self.numberInAlbum = numberInAlbum
    }
  }

  /// A random order.
  public struct Shuffle: Equatable, Sendable {
    /// The seed. Each seed gives a different order.
    public var seed: UInt64
    /// True if albums are shuffled, false if songs are shuffled.
    public var isByAlbums: Bool

    public init(seed: UInt64, isByAlbums: Bool = false) {
      self.seed = seed
      self.isByAlbums = isByAlbums
    }
  }

  /// The wish of a person for a song that has not played yet.
  public enum Wish: UInt8, Sendable, CaseIterable {
    case next = 1
    case last = 2
  }

  /// The list from which the queue was made.
  public struct Context: Equatable, Sendable {
    /// The name of the list in the library.
    public var list: String
    /// The title of the list, as surfaces show it.
    public var title: String
    /// The name, in the library, of the list from which the user opened this list.
    public var parent: String
    /// True if the user has removed songs from the queue.
    public var isReduced: Bool

    public init(list: String, title: String, parent: String, isReduced: Bool = false) {
      self.list = list
      self.title = title
      self.parent = parent
      self.isReduced = isReduced
    }
  }

  /// The number of the save. It grows with each saved queue, so that ``UnitState/CurrentEntry`` can state to which
  /// queue it belongs. At most ``maximumNumber``.
  public var number: UInt64 = 0
  /// The entries in the list's own order.
  public var entries: [Entry] = []
  /// The indices of the entries in the playing order. Empty if the entries play in the list's own order.
  public var order: [Int] = []
  /// The number of the current entry. Nil if no entry is current.
  public var current: EntryID?
  /// Nil if the queue is not shuffled.
  public var shuffle: Shuffle?
  /// The songs that a person wants next or last.
  public var wishes: [EntryID: Wish] = [:]
  /// The first entry of the list that was added last. Nil if no list was added.
  public var lastList: EntryID?
  /// True if a person has removed everything that was to play.
  public var isEmptied = false
  /// True if the queue has played to its end.
  public var hasEnded = false
  /// The list from which the queue was made. Nil if the queue was not made from a list.
  public var context: Context?
  /// The parts of the saved bytes that could not be decoded.
  public internal(set) var damage = StoredDamage()

  /// The largest value of ``number``.
  public static let maximumNumber: UInt64 = 1 << 62
  /// Maximum number of entries. Further entries are not saved.
  public static let maximumEntries = 10_000
  /// Maximum length in bytes of a title, an artist or an album. A longer text is cut.
  public static let maximumTextBytes = 256

  /// Creates an empty queue.
  public init() {}

  /// The next value of ``number``. The number 1 follows after ``maximumNumber``.
  public static func number(after number: UInt64) -> UInt64 {
    number < maximumNumber ? number &+ 1 : 1
  }
}
