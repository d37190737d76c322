/// A list of Now Playing: *Up Next*, or the songs of the album that plays.
public struct MenuList: Hashable, Sendable {
  /// What the list shows.
  public enum Content: Hashable, Sendable {
    case rows([MenuRow], MenuPaging?)
    /// The parts into which a long list is divided.
    case parts([MenuLetter])
  }

  /// The title on the key that closes the list.
  public var title: String
  /// The name of the list from which the queue was filled, and the position in the queue. Nil if unknown.
  public var line: String?
  /// What the list shows.
  public var content: Content

  public init(_ title: String, line: String? = nil, _ content: Content) {
    self.title = title
    self.line = line
    self.content = content
  }
}
