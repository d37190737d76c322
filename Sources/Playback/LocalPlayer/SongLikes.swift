public import MusicFiles
public import NowPlaying

/// The marks of songs that a person likes.
///
/// Used on the control thread.
public struct SongLikes {
  /// True if the song has the mark. Must be fast.
  let isLiked: (MusicFile) -> Bool
  /// Sets or clears the mark. The completion gets nil when the mark is stored, or the reason why it is not.
  let like: (MusicFile, _ isLiked: Bool, _ completion: @escaping (Refusal?) -> Void) -> Void

  /// Memberwise initializer.
  public init(
    isLiked: @escaping (MusicFile) -> Bool,
    like: @escaping (MusicFile, _ isLiked: Bool, _ completion: @escaping (Refusal?) -> Void) -> Void
  ) {
    self.isLiked = isLiked
    self.like = like
  }
}
