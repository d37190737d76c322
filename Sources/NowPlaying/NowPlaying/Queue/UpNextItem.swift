/// A row of the list *Up Next*.
public struct UpNextItem: Hashable, Sendable, Identifiable {
  /// The identity of the content that plays if the item is chosen.
  public let id: String
  /// The title of the item.
  public let title: String
  /// The performer; if it is nil, no name is shown.
  public let artist: String?

  /// The length; if it is nil, no length is shown.
  public let duration: Duration?
  /// The identity of the cover of the item. The source sets it only if the current content has the same cover, which
  /// surfaces already have. If it is nil, surfaces show the placeholder.
  public let artworkID: String?

  public init(
    id: String, title: String, artist: String? = nil, duration: Duration? = nil,
    artworkID: String? = nil
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.duration = duration
    self.artworkID = artworkID
  }
}
