/// The power amplifier behind a sound card, if it can be muted: by a mute line, or by a switch of a
/// mixer.
///
/// The output of a sound card jumps when the card starts, stops or changes its rate, and the
/// amplifier makes a thump of that. So a sink with an amplifier unmutes it only while the card runs
/// on silence.
///
/// - Thread: one at a time. The sink's initialiser calls it, then the output thread, above the
///   real-time line.
public protocol Amplifier: AnyObject, Sendable {
  /// Mutes or unmutes the amplifier. Also called if it should be in that state already, because
  /// another program may have switched it. Returns after the switch. May allocate and block;
  /// meanwhile the card plays the frames that it was given, so this may take a few milliseconds.
  ///
  /// After an error the state of the amplifier is unknown. The next call starts from the beginning,
  /// so that a device that was removed and plugged in again works.
  func setMuted(_ muted: Bool) throws(SinkError)
}
