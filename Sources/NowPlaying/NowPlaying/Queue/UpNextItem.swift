/// A line in the list of what comes next.
public struct UpNextItem: Hashable, Sendable, Identifiable {
  /// The content's identity.
  public let id: String
  /// What to call it.
  public let title: String
  /// Who performs it; nil leaves the line out.
  public let artist: String?

  /// How long it is; nil leaves that out.
  public let duration: Duration?
  /// Of its cover, where that is one that surfaces know from what plays; nil is a placeholder.
  public let artworkID: String?

  /// See the fields.
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
