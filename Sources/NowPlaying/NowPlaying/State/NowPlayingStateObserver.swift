/// Is told of each state that is published, without being a surface: it shows nothing and asks for
/// nothing, so nothing is checked about it. Whoever passes states on, or keeps them, is one.
public protocol NowPlayingStateObserver: AnyObject {
  /// On the control thread, after all surfaces. What it does joins the call that led here.
  func nowPlayingPublished(_ state: NowPlayingState)
}

extension NowPlayingCenter {
  /// Adds an observer, held weakly. It can read ``state`` now, and is told of the next one.
  public func add(stateObserver observer: any NowPlayingStateObserver) {
    remove(stateObserver: observer)
    stateObservers.append(WeakStateObserver(observer))
  }

  /// Removes it.
  public func remove(stateObserver observer: any NowPlayingStateObserver) {
    stateObservers.removeAll { $0.observer == nil || $0.observer === observer }
  }
}

/// An observer that is not kept alive.
struct WeakStateObserver {
  weak var observer: (any NowPlayingStateObserver)?

  init(_ observer: any NowPlayingStateObserver) { self.observer = observer }
}
