/// The power amplifier behind a sound card, as far as it can be silenced: by a mute line, by a
/// switch of a mixer.
///
/// A sound card that starts, stops or changes its rate jumps at its output, and an amplifier makes
/// a thump of that. So a sink that is given one unmutes it only while the card runs on silence.
///
/// - Thread: one at a time. The sink's initialiser calls it, then the output thread, above the
///   real-time line.
public protocol Amplifier: AnyObject, Sendable {
  /// Silences the amplifier, or lets it be heard; also where it is so already, as somebody else may
  /// have switched it. Returns when that is done. May allocate and block; while it does the card
  /// plays what it was given, so a few milliseconds are well.
  ///
  /// After an error nobody knows how it stands. The next call tries everything again, so that what
  /// was pulled and came back works again.
  func setMuted(_ muted: Bool) throws(SinkError)
}
