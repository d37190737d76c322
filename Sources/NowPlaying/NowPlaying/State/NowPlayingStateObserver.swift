/// Gets each published state without being a surface. An observer shows nothing and sends no
/// commands, so nothing about it is checked. Used by code that passes states on or stores them.
public protocol NowPlayingStateObserver: AnyObject {
  /// Called on the control thread, after all surfaces. Changes that the observer makes join the
  /// call that caused the publication.
  func nowPlayingPublished(_ state: NowPlayingState)
}

extension NowPlayingCenter {
  /// Adds an observer, held weakly. It can read ``state`` now, and gets the next state.
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
