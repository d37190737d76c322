/// The three large buttons of the screen. They are derived from the commands, so that all screens offer the same
/// buttons.
public struct TransportState: Hashable, Sendable {
  /// One of the three buttons.
  public struct Button: Hashable, Sendable {
    /// The request of a tap.
    public let request: MediaRequest
    /// If false, the button is grey and has no effect (C1).
    public let isEnabled: Bool
  }

  /// *Previous*. If the source does not offer *previous*, this is a skip back by an interval. Nil if the source offers
  /// neither of these commands.
  public let back: Button?
  /// *Pause* during playback, *togglePlayPause* while buffering and during an interruption, *play* in all other states.
  /// If the source does not offer this command, another offered command with a similar effect is used. Nil if there is
  /// none.
  public let central: Button?
  /// *Next*. If the source does not offer *next*, this is a skip forward by an interval. Nil if the source offers
  /// neither of these commands.
  public let forward: Button?

  init(commands: [CommandOffer], status: PlaybackStatus) {
    func button(_ requests: [MediaRequest]) -> Button? {
      for request in requests {
        guard let offer = commands.first(where: { $0.kind == request.kind }) else { continue }
        if case .intervals(let preferred) = offer.parameters, preferred.isEmpty { continue }
        return Button(request: offer.completed(request), isEnabled: offer.isEnabled)
      }
      return nil
    }
    back = button([.previous, .skipBackward(nil)])
    if status == .buffering || status == .interrupted,
      let pause = commands.first(where: { $0.kind == .pause })
    {
      // Playback is usually requested already, so a tap must pause. During an interruption this cancels the resume
      // (E4). The center replaces the toggle with *pause* or *play*, depending on what people want.
      central = Button(request: .togglePlayPause, isEnabled: pause.isEnabled)
    } else {
      // *Stop* is included, because some radios can stop but cannot pause.
      central = button(
        status.showsPauseGlyph ? [.pause, .togglePlayPause, .stop] : [.play, .togglePlayPause])
    }
    forward = button([.next, .skipForward(nil)])
  }
}
