public import MusicFiles
public import NowPlaying

/// The marks that users give to songs: favourite, dislike, bookmark and rating.
///
/// Used on the control thread.
public struct SongMarks {
  /// The marks of a song.
  public struct Values: Equatable, Sendable {
    /// True for a favourite.
    public var isLiked: Bool
    /// True if shuffle leaves the song out.
    public var isDisliked: Bool
    /// True if a position in the song is stored as a bookmark.
    public var hasBookmark: Bool
    /// The rating that a person has given, 0 … 5 in steps of 0.5. Nil if no person has rated the song.
    public var stars: Double?

    /// Memberwise initializer. By default, a song has no mark.
    public init(
      isLiked: Bool = false, isDisliked: Bool = false, hasBookmark: Bool = false,
      stars: Double? = nil
    ) {
      self.isLiked = isLiked
      self.isDisliked = isDisliked
      self.hasBookmark = hasBookmark
      self.stars = stars
    }
  }

  /// A change of one mark.
  public enum Change: Equatable, Sendable {
    case like(Bool)
    case dislike(Bool)
    /// A rating, 0 … 5 in steps of 0.5.
    case stars(Double)
    /// Sets a bookmark at a position in seconds. Nil removes the bookmark.
    case bookmark(at: Double?)
  }

  /// Stores a change. Calls `completion` with nil when the change is stored, or with the reason why it cannot be
  /// stored.
  public typealias Setter = (MusicFile, Change, _ completion: @escaping (Refusal?) -> Void) -> Void

  /// Returns the marks of a song. Must be fast.
  let of: (MusicFile) -> Values
  /// True if shuffle leaves the song out. Must be fast, because it is called for each song of the queue.
  let isDisliked: (MusicFile) -> Bool
  /// Returns false if no song is disliked. ``isDisliked`` then need not be called.
  let hasDisliked: () -> Bool
  let set: Setter

  public init(
    of: @escaping (MusicFile) -> Values, isDisliked: @escaping (MusicFile) -> Bool,
    hasDisliked: @escaping () -> Bool, set: @escaping Setter
  ) {
    self.of = of
    self.isDisliked = isDisliked
    self.hasDisliked = hasDisliked
    self.set = set
  }
}
