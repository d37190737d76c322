/// A source that shares the engine with other sources.
///
/// One user has the engine at a time. A user takes the engine with ``PlaybackEngine/acquire(for:)`` before it plays,
/// and sends no commands to the engine while another user has it. Used on the control thread only.
public protocol EngineUser: AnyObject {
  /// Called before another user takes the engine. The track of this user ends. After this call, only the other user
  /// sends commands to the engine.
  func engineWillBeTaken()
}

extension PlaybackEngine {
  /// Gives the engine to `user`. First calls ``EngineUser/engineWillBeTaken()`` of the previous user. During this call,
  /// the track of the previous user is still heard.
  public func acquire(for user: any EngineUser) {
    guard self.user !== user else { return }
    self.user?.engineWillBeTaken()
    self.user = user
  }

  /// True if another user than `user` has the engine.
  public func isUsed(besides user: any EngineUser) -> Bool {
    self.user.map { $0 !== user } ?? false
  }
}
