/// The three large buttons of the template, worked out from the commands, so that every screen
/// offers the same.
public struct TransportState: Hashable, Sendable {
  /// One of them.
  public struct Button: Hashable, Sendable {
    /// What a tap asks for.
    public let request: MediaRequest
    /// Greyed and inert where false (C1).
    public let isEnabled: Bool
  }

  /// *Previous*, or else back by an interval; nil where the source offers neither.
  public let back: Button?
  /// Pause while it plays, play in every other state (S2); nil where the source offers neither.
  public let central: Button?
  /// *Next*, or else forward by an interval; nil where the source offers neither.
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
    // A radio that cannot pause can stop.
    central = button(
      status.showsPauseGlyph ? [.pause, .togglePlayPause, .stop] : [.play, .togglePlayPause])
    forward = button([.next, .skipForward(nil)])
  }
}
