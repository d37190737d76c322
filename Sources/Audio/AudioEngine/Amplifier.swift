/// The power amplifier after the sound card. The unit can mute this amplifier with a GPIO line or with the switch of a
/// mixer element.
///
/// The output of a sound card jumps when the card starts, stops or changes its rate. The amplifier makes this jump
/// audible as a thump. So a sink unmutes its amplifier after the card has started, and mutes it before the card stops.
/// At both times the card plays silence.
///
/// - Thread: one thread at a time sets the amplifier: first the thread that creates the sink, then the output thread
///   above the real-time line. Any thread can read its state at the same time.
public protocol Amplifier: AnyObject, Sendable {
  /// Mutes or unmutes the amplifier. Also called if the amplifier is probably in this state already, because another
  /// program can have switched it. Returns after the amplifier was switched. Can allocate, and can block for a few
  /// milliseconds. In this time the card plays the frames in its buffer.
  ///
  /// After an error the state of the amplifier is unknown. The next call opens the mixer or the GPIO line again. So the
  /// amplifier works again after its device was removed and plugged in again.
  func setMuted(_ muted: Bool) throws(SinkError)

  /// Reads from the device whether the amplifier is muted. Never returns a value that ``setMuted(_:)`` has stored,
  /// because another program can have switched the amplifier. Can allocate and block.
  ///
  /// - Throws: if the device cannot be read.
  func isMuted() throws(SinkError) -> Bool
}
