/// A surface's connection to the head unit, through which it sends commands (C8). Used on the control thread only.
///
/// ``NowPlayingCenter/connect(_:at:show:)`` creates the port when the channel of the surface is connected. So no
/// surface can send a command before it has a channel. When the last reference to the port is released, the surface is
/// disconnected.
public final class SurfacePort {
  /// The identity.
  public let id: SurfaceID
  private let center: NowPlayingCenter
  private let generation: Int

  init(_ id: SurfaceID, generation: Int, center: NowPlayingCenter) {
    self.id = id
    self.generation = generation
    self.center = center
  }

  deinit { center.disconnect(id, generation, at: nil) }

  /// Sends a command.
  ///
  /// - Parameters:
  ///   - inputPath: the way on which the command arrived. A press that arrives on two input paths acts only once (C9).
  ///   - origin: the device on which a person pressed a key; nil if the surface cannot name the device.
  ///   - isRepeat: true if a held key sends the command again.
  ///   - pressed: the time at which the key was pressed, if this was before `now`. Example: a key that has different
  ///     commands for a short and a long press sends its command only on its release.
  ///   - now: the time at which the command arrived, as exactly as the input path can measure it.
  ///   - answer: called exactly one time (C2): immediately, or when the source has answered.
  /// - Returns: the number of the command in the trace.
  @discardableResult
  public func send(
    _ request: CommandRequest, on inputPath: InputPath, of origin: PressOrigin? = nil,
    isRepeat: Bool = false, pressed: MonotonicInstant? = nil, at now: MonotonicInstant,
    answer: @escaping (CommandAnswer) -> Void = { _ in }
  ) -> Int {
    center.receive(
      request, from: id, generation, on: inputPath, of: origin, isRepeat: isRepeat,
      pressed: pressed ?? now, at: now, answer: answer)
  }

  /// Reports the values that the surface shows, if they can be read back. If the values differ from the state that the
  /// surface was given, the surface gets the state again, but only one time (P12).
  @discardableResult
  public func observed(_ facts: DisplayedState, at now: MonotonicInstant) -> SurfaceGuard.Verdict {
    center.observed(facts, on: id, generation, at: now)
  }

  /// Begins the loop-back test (C7). The surface must show the returned token and send it back.
  public func beginChannelCheck(at now: MonotonicInstant) -> Int {
    var token = 0
    center.checkChannel(id, generation, at: now) { token = $0.begin(at: now) }
    return token
  }

  /// Called when the surface has shown the token (C7).
  public func channelShowed(_ token: Int, at now: MonotonicInstant) {
    center.checkChannel(id, generation, at: now) { $0.confirmedShown(token, at: now) }
  }

  /// Called when the token has returned on the path of the commands (C7).
  public func channelReturned(_ token: Int, at now: MonotonicInstant) {
    center.checkChannel(id, generation, at: now) { $0.arrived(token, at: now) }
  }

  /// The results of the loop-back test (C7).
  public var channel: ChannelCheck { center.surface(id, generation)?.channel ?? ChannelCheck() }

  /// Called when the surface itself ends its connection, for example because its display was unplugged. No check
  /// reports that this surface is missing. A held seek of this surface ends.
  public func unregister(at now: MonotonicInstant) {
    center.disconnect(id, generation, isMissed: false, at: now)
  }

  /// Called when the channel is closed. A held seek of this surface ends.
  public func disconnect(at now: MonotonicInstant) { center.disconnect(id, generation, at: now) }
}
