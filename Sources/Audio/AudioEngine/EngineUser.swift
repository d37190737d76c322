/// A source that plays through an engine which it shares with other sources.
///
/// One user has the engine at a time. A user takes the engine with ``PlaybackEngine/acquire(for:)`` before it plays,
/// and does not command the engine while another user has it. Used on the control thread only.
public protocol EngineUser: AnyObject {
  /// Another user takes the engine. What this user plays ends. From now on the engine obeys the other user.
  func engineWillBeTaken()
}

extension PlaybackEngine {
  /// Gives the engine to a user. Before, calls ``EngineUser/engineWillBeTaken()`` of the previous user, whose track is
  /// still heard then.
  public func acquire(for user: any EngineUser) {
    guard self.user !== user else { return }
    self.user?.engineWillBeTaken()
    self.user = user
  }

  /// True if another user has the engine.
  public func isUsed(besides user: any EngineUser) -> Bool {
    self.user.map { $0 !== user } ?? false
  }
}
