internal import AudioCodecs

/// The rating in the tags of a file. Surfaces show it as stars until a person rates the song. Files are never changed.
enum TagRating {
  /// The stars, 0 … 5 in steps of 0.5. Nil if the tags have no rating.
  static func stars(_ metadata: AudioMetadata) -> Double? {
    func number(_ name: String) -> Double? {
      metadata.comments.first(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
    // The scale of FMPS_RATING is 0 to 1 (https://www.freedesktop.org/wiki/Specifications/free-media-player-specs).
    if let rating = number("FMPS_RATING"), (0...1).contains(rating) { return halves(rating * 5) }
    guard let rating = number("RATING") else { return nil }
    // In RATING, some programs write 0 to 5 stars, and other programs write per cent.
    if (0...5).contains(rating) { return halves(rating) }
    return (0...100).contains(rating) ? halves(rating / 20) : nil
  }

  private static func halves(_ stars: Double) -> Double { (stars * 2).rounded() / 2 }
}
