internal import Control
internal import NowPlaying

/// A session with an info center and a command center, like Apple's `MPNowPlayingSession`.
public final class NowPlayingSession: SourceSession {
  /// The session of ``NowPlayingInfoCenter/default()`` and ``RemoteCommandCenter/shared()``, which has no players.
  nonisolated(unsafe) static let shared = NowPlayingSession(players: [])

  /// The content, and the position of a session without players.
  public let nowPlayingInfoCenter = NowPlayingInfoCenter()
  /// The commands.
  public let remoteCommandCenter = RemoteCommandCenter()
  /// If true, the content is that of the items of the players, and the info center is not read.
  public var automaticallyPublishesNowPlayingInfo = false { didSet { setNeedsPublishing() } }
  /// Called when ``isActive`` or ``canBecomeActive`` can have changed.
  public weak var delegate: (any NowPlayingSessionDelegate)? {
    didSet {
      onStatus = { [weak self] _ in
        guard let self else { return }
        delegate?.nowPlayingSessionDidChangeActive(self)
        delegate?.nowPlayingSessionDidChangeCanBecomeActive(self)
      }
    }
  }

  /// Creates the session. It is opened after the present handler.
  /// - Parameters:
  ///   - players: the streams that the unit plays. Empty if the app plays its sound in another way.
  ///   - name: the name within the app: small letters, digits and `-`. Nil for the only or first session.
  public init(players: [StreamPlayer], name: String? = nil, application: Application = .shared) {
    super.init(application, name: name, players: players)
    nowPlayingInfoCenter.session = self
    remoteCommandCenter.session = self
  }

  /// True if surfaces show the session.
  public var isActive: Bool { status.isPrimary }
  /// True if nothing is missing that a session needs to become Now Playing.
  public var canBecomeActive: Bool { isOpen && status.missing.isEmpty }

  /// Requests to become Now Playing without starting playback.
  /// - Parameter completion: called with true if surfaces show the session.
  public func becomeActiveIfPossible(completion: @escaping (Bool) -> Void = { _ in }) {
    claim(.automatic) { answer in
      if case .refused = answer { completion(false) } else { completion(true) }
    }
  }

  override var publishedContent: MediaContent? {
    automaticallyPublishesNowPlayingInfo ? nil : nowPlayingInfoCenter.nowPlayingInfo?.content
  }
  override var publishedSnapshot: MediaPlaybackSnapshot? { nowPlayingInfoCenter.snapshot }
  override var publishedCommands: [MediaCommand] { remoteCommandCenter.offered }
}

/// Observes whether a session is Now Playing.
public protocol NowPlayingSessionDelegate: AnyObject {
  /// ``NowPlayingSession/isActive`` can have changed.
  func nowPlayingSessionDidChangeActive(_ session: NowPlayingSession)
  /// ``NowPlayingSession/canBecomeActive`` can have changed.
  func nowPlayingSessionDidChangeCanBecomeActive(_ session: NowPlayingSession)
}

extension NowPlayingSessionDelegate {
  /// Does nothing.
  public func nowPlayingSessionDidChangeActive(_ session: NowPlayingSession) {}
  /// Does nothing.
  public func nowPlayingSessionDidChangeCanBecomeActive(_ session: NowPlayingSession) {}
}
