/// The three large buttons of the template. They are derived from the commands, so that all screens
/// offer the same.
public struct TransportState: Hashable, Sendable {
  /// One of the three buttons.
  public struct Button: Hashable, Sendable {
    /// The request of a tap.
    public let request: MediaRequest
    /// If false, the button is grey and has no effect (C1).
    public let isEnabled: Bool
  }

  /// *Previous*, otherwise back by an interval; nil if the source offers neither.
  public let back: Button?
  /// Pause while playing, play in all other states (S2); nil if the source offers neither.
  public let central: Button?
  /// *Next*, otherwise forward by an interval; nil if the source offers neither.
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
    // A radio that cannot pause may be able to stop.
    central = button(
      status.showsPauseGlyph ? [.pause, .togglePlayPause, .stop] : [.play, .togglePlayPause])
    forward = button([.next, .skipForward(nil)])
  }
}
