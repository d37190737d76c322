/// A part of the queue, in the playing order.
package struct QueueReport: Hashable, Sendable {
  /// Maximum number of entries in a report.
  package static let limit = 100

  /// An entry of the queue.
  package struct Entry: Hashable, Sendable {
    /// The number of the entry, which does not change.
    package var id: Int
    package var title: String
    package var artist: String?
    package var album: String?
    package var duration: Duration?
    /// True if the medium of the entry is not there.
    package var isAbsent = false

    /// The identity of the entry, which is also that of its item in *Up Next*.
    package var item: String { Self.item(id) }

    private static let prefix = "queue:"

    /// The identity of the entry with this number.
    package static func item(_ number: Int) -> String { "\(prefix)\(number)" }

    /// The number of the entry with this identity; nil if it is no such identity.
    package static func number(ofItem item: String) -> Int? {
      item.hasPrefix(prefix) ? Int(item.dropFirst(prefix.count)) : nil
    }

    /// An entry of which only the title is known.
    package init(id: Int, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// Counts the changes of the entries and of their order.
  package var revision = 0
  /// Number of entries of the queue.
  package var count = 0
  /// Number of entries whose medium is not there.
  package var absent = 0
  /// The index of the current entry, from 0. Nil if the queue is empty.
  package var position: Int?
  /// The index of the first entry of ``entries``, from 0.
  package var first = 0
  package var entries: [Entry] = []
  /// The list from which the queue was made: its name in the library, and its title. Both are empty if there is none.
  package var list = ""
  package var title = ""
  package var isShuffled = false
  /// True if the last edit can be undone.
  package var canUndo = false

  /// An empty queue.
  package init() {}
}
