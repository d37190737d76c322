/// Gets each published state, but is not a surface. An observer shows nothing and sends no
/// commands, so the diagnosis does not check it. Observers pass states on to other code, or store
/// them.
public protocol NowPlayingStateObserver: AnyObject {
  /// Called on the control thread, after all surfaces have got the state. Changes that the observer
  /// makes become part of the call that caused the publication.
  func nowPlayingPublished(_ state: NowPlayingState)
}

extension NowPlayingCenter {
  /// Adds an observer. The center has only a weak reference to the observer. The observer gets all
  /// later states, and can read the current state from ``state``.
  public func add(stateObserver observer: any NowPlayingStateObserver) {
    remove(stateObserver: observer)
    stateObservers.append(WeakStateObserver(observer))
  }

  /// Removes an observer.
  public func remove(stateObserver observer: any NowPlayingStateObserver) {
    stateObservers.removeAll { $0.observer == nil || $0.observer === observer }
  }
}

/// A weak reference to an observer.
struct WeakStateObserver {
  weak var observer: (any NowPlayingStateObserver)?

  init(_ observer: any NowPlayingStateObserver) { self.observer = observer }
}
