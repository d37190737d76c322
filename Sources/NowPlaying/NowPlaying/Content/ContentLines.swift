/// The texts for a surface that shows up to three lines, in the language of the listener (P9).
public struct ContentLines: Hashable, Sendable {
  /// The title of the song, of the programme or of the item.
  public var title: String?
  /// The artist or the station.
  public var subtitle: String?
  /// The album.
  public var detail: String?

  /// Creates the lines. A line that is nil is not shown.
  public init(title: String? = nil, subtitle: String? = nil, detail: String? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.detail = detail
  }
}
