/// A surface's connection to the head unit, through which its commands arrive (C8). Control thread
/// only.
///
/// ``NowPlayingCenter/connect(_:at:show:)`` creates the port when the channel of the surface is up,
/// so no command can be sent earlier. When the last reference to the port is released, the surface
/// is disconnected.
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
  ///   - inputPath: the way on which the command arrived; one press on two input paths acts once
  ///     (C9).
  ///   - origin: the device whose user pressed, if the surface knows it.
  ///   - isRepeat: true if a held key sends the command again.
  ///   - pressed: the time at which the key was pressed, if that was before `now`. A key with
  ///     different commands for a short and a long press is decided only on its release.
  ///   - now: the time at which the command arrived, as exactly as the input path can measure it.
  ///   - answer: called once (C2), at once or when the source has answered.
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

  /// Reports the state that the surface shows, if this state can be read back. On a difference the
  /// surface gets the state again, once (P12).
  @discardableResult
  public func observed(_ facts: DisplayedState, at now: MonotonicInstant) -> SurfaceGuard.Verdict {
    center.observed(facts, on: id, generation, at: now)
  }

  /// Begins the loop-back (C7). The surface shows the returned token and sends it back.
  public func beginChannelCheck(at now: MonotonicInstant) -> Int {
    var token = 0
    center.checkChannel(id, generation, at: now) { token = $0.begin(at: now) }
    return token
  }

  /// The surface has shown the token (C7).
  public func channelShowed(_ token: Int, at now: MonotonicInstant) {
    center.checkChannel(id, generation, at: now) { $0.confirmedShown(token, at: now) }
  }

  /// The token has returned on the path of the commands (C7).
  public func channelReturned(_ token: Int, at now: MonotonicInstant) {
    center.checkChannel(id, generation, at: now) { $0.arrived(token, at: now) }
  }

  /// The results of the loop-back (C7).
  public var channel: ChannelCheck { center.surface(id, generation)?.channel ?? ChannelCheck() }

  /// The channel is closed. A held seek of this surface ends.
  public func disconnect(at now: MonotonicInstant) { center.disconnect(id, generation, at: now) }
}
