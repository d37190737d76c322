/// The text that a surface with up to three lines shows, already chosen for a language (P9).
public struct ContentLines: Hashable, Sendable {
  /// The song, the programme or the item.
  public var title: String?
  /// The artist or the station.
  public var subtitle: String?
  /// The album.
  public var detail: String?

  /// Nil omits a line.
  public init(title: String? = nil, subtitle: String? = nil, detail: String? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.detail = detail
  }
}
