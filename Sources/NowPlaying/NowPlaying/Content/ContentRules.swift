/// Rules for content that replaces earlier content of the same source.
enum ContentRules {
  /// - A placeholder does not replace real content with the same identity (P5).
  /// - If the new content has no duration, it gets the duration that the player reports (P7), or else the earlier
  ///   duration of the same content (P6).
  static func replacing(
    _ old: MediaContent?, with new: MediaContent?, playerDuration duration: MediaDuration?
  ) -> MediaContent? {
    guard var new else { return nil }
    let same = old.flatMap { $0.id == new.id ? $0 : nil }
    if new.isPlaceholder, let same, !same.isPlaceholder { new = same }
    if new.duration == nil { new.duration = duration ?? same?.duration }
    return new
  }
}
