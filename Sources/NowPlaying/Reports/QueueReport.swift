/// A part of the queue, in the playing order.
package struct QueueReport: Hashable, Sendable {
  /// Maximum number of entries in a report.
  package static let limit = 100

  /// An entry of the queue.
  package struct Entry: Hashable, Sendable {
    /// The number of the entry. It never changes.
    package var id: Int
    package var title: String
    package var artist: String?
    package var album: String?
    package var duration: Duration?
    /// True if the medium of the entry is not connected.
    package var isAbsent = false

    /// The identity of the entry. The item of this entry in *Up Next* has the same identity.
    package var item: String { Self.item(id) }

    private static let prefix = "queue:"

    /// The identity of the entry with this number.
    package static func item(_ number: Int) -> String { "\(prefix)\(number)" }

    /// The number of the entry with this identity; nil if `item` is not the identity of an entry.
    package static func number(ofItem item: String) -> Int? {
      item.hasPrefix(prefix) ? Int(item.dropFirst(prefix.count)) : nil
    }

    /// Creates an entry of which only the title is known.
    package init(id: Int, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// Counts the changes of the entries and of their order.
  package var revision = 0
  /// Number of entries of the queue.
  package var count = 0
  /// Number of entries whose medium is not connected.
  package var absent = 0
  /// The index of the current entry, from 0. Nil if the queue is empty.
  package var position: Int?
  /// The index in the queue, from 0, of the first element of ``entries``.
  package var first = 0
  package var entries: [Entry] = []
  /// The list of songs from which the queue was made: `list` is its identity in the library, and `title` is its title.
  /// Both are empty if the queue was not made from a list of the library.
  package var list = ""
  package var title = ""
  package var isShuffled = false
  /// True if the last edit can be undone.
  package var canUndo = false

  /// Creates the report of an empty queue.
  package init() {}
}
