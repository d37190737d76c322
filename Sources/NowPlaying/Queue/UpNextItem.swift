/// A line in the list of what comes next.
public struct UpNextItem: Hashable, Sendable, Identifiable {
  /// The content's identity.
  public let id: String
  /// What to call it.
  public let title: String
  /// Who performs it; nil leaves the line out.
  public let artist: String?

  /// See the fields.
  public init(id: String, title: String, artist: String? = nil) {
    self.id = id
    self.title = title
    self.artist = artist
  }
}
