/// The opinion of the user about a song: a rating and a dislike. The favourites are stored separately.
public struct SongOpinion: Equatable, Sendable {
  /// The rating in half stars, 0 … ``maximum``. Nil if the song was never rated.
  public var halfStars: UInt8?
  /// True if shuffle leaves the song out.
  public var isDisliked = false

  /// The largest value of ``halfStars``, which means five stars.
  public static let maximum: UInt8 = 10

  /// Creates an opinion without a rating and without a dislike.
  public init() {}

  /// True if there is neither a rating nor a dislike to store.
  var isEmpty: Bool { self == SongOpinion() }

  /// The text of the opinion in the playlist file, such as `stars=3.5,dislike`.
  var text: String {
    var parts: [String] = []
    if let halfStars {
      let half = halfStars % 2 == 0 ? "" : ".5"
      parts.append("stars=\(halfStars / 2)\(half)")
    }
    if isDisliked { parts.append("dislike") }
    return parts.joined(separator: ",")
  }

  /// Parses a text in the form of ``text``. Returns nil if a part of it is unknown or invalid.
  init?(text: Substring) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if part == "dislike" {
        isDisliked = true
      } else if part.hasPrefix("stars="), let stars = Double(part.dropFirst(6)),
        (0...Double(Self.maximum) / 2).contains(stars)
      {
        halfStars = UInt8((stars * 2).rounded())  // in range: the condition above
      } else {
        return nil
      }
    }
  }
}
