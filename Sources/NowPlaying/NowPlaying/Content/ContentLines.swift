/// What a surface with up to three lines shows of content, already chosen for a language (P9).
public struct ContentLines: Hashable, Sendable {
  /// The song, the programme, the item.
  public var title: String?
  /// The artist, the station.
  public var subtitle: String?
  /// The album.
  public var detail: String?

  /// Up to three lines; nil leaves one out.
  public init(title: String? = nil, subtitle: String? = nil, detail: String? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.detail = detail
  }
}
