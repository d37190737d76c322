/// A surface's place in the head unit: its commands go in here (C8). Control thread only.
///
/// Made by ``NowPlayingCenter/connect(_:at:show:)`` when the surface's channel is up; there is no
/// way to send a command before. When the last reference to it goes, the surface is gone.
public final class SurfacePort {
  /// Which.
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
  ///   - inputPath: on which it came; one press on two input paths acts once (C9).
  ///   - origin: whose hand it was, where the surface knows.
  ///   - isRepeat: a key that is held down says so itself.
  ///   - pressed: when the key went down, where that was earlier: a key that does one thing when it
  ///     is held, and another when it is not, is known when it is let go.
  ///   - now: when it came, as exactly as the input path knows.
  ///   - answer: called once (C2); at once, or when the source has answered.
  /// - Returns: its number in the trace.
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

  /// Says what the surface shows, where it can be read back. A difference is repaired once, by
  /// giving it the state again (P12).
  @discardableResult
  public func observed(_ facts: DisplayedState, at now: MonotonicInstant) -> SurfaceGuard.Verdict {
    center.observed(facts, on: id, generation, at: now)
  }

  /// Begins the loop-back (C7); the token is shown by the surface and sent back by it.
  public func beginChannelCheck(at now: MonotonicInstant) -> Int {
    var token = 0
    center.checkChannel(id, generation, at: now) { token = $0.begin(at: now) }
    return token
  }

  /// The surface has shown the token (C7).
  public func channelShowed(_ token: Int, at now: MonotonicInstant) {
    center.checkChannel(id, generation, at: now) { $0.confirmedShown(token, at: now) }
  }

  /// The token came back on the way of commands (C7).
  public func channelReturned(_ token: Int, at now: MonotonicInstant) {
    center.checkChannel(id, generation, at: now) { $0.arrived(token, at: now) }
  }

  /// What the loop-back has found (C7).
  public var channel: ChannelCheck { center.surface(id, generation)?.channel ?? ChannelCheck() }

  /// The channel is gone. A key that was held is let go.
  public func disconnect(at now: MonotonicInstant) { center.disconnect(id, generation, at: now) }
}
