/// What becomes of content that a source publishes where it has published before.
enum ContentRules {
  /// - A placeholder does not replace what is real of the same thing (P5).
  /// - A duration that was known stays known (P6), and one that only the player knows is
  ///   filled in (P7).
  static func replacing(
    _ old: MediaContent?, with new: MediaContent?, playerKnows duration: MediaDuration?
  ) -> MediaContent? {
    guard var new else { return nil }
    let same = old.flatMap { $0.id == new.id ? $0 : nil }
    if new.isPlaceholder, let same, !same.isPlaceholder { new = same }
    if new.duration == nil { new.duration = duration ?? same?.duration }
    return new
  }
}
