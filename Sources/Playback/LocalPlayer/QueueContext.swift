/// The list from which the queue was made.
public struct QueueContext: Hashable, Sendable {
  /// The name of the list in the library.
  public var list: String
  /// The title of the list, for people. Empty if the list is one of the library itself.
  public var title: String
  /// The name of the list in which this list was chosen, for what follows at the end. Empty if it is not known.
  public var parent: String
  /// True if a person has removed songs from the queue. Then new songs of the list do not join.
  public var isReduced: Bool
  /// True if a person has removed all songs but the current one. Then no songs of the list follow.
  public var isCleared = false

  public init(list: String, title: String, parent: String = "", isReduced: Bool = false) {
    self.list = list
    self.title = title
    self.parent = parent
    self.isReduced = isReduced
  }
}
