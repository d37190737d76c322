/// The list of the library from which the queue was made, such as an album or a playlist.
public struct QueueContext: Hashable, Sendable {
  /// The identity of the list in the library.
  public var list: String
  /// The title of the list, as surfaces show it. Empty for a fixed list of the library, such as all songs.
  public var title: String
  /// The identity of the list in which a person chose this list, such as the list of an artist's albums. It determines
  /// which list follows at the end of the queue. Empty if it is not known.
  public var parent: String
  /// True if a person has removed songs from the queue. Then songs that are new in the list are not added to the queue.
  public var isReduced: Bool

  public init(list: String, title: String, parent: String = "", isReduced: Bool = false) {
    self.list = list
    self.title = title
    self.parent = parent
    self.isReduced = isReduced
  }
}
