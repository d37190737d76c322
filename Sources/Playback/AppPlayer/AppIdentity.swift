package import NowPlaying

extension SessionID {
  private static var appPrefix: String { "app-" }

  /// The identity of a session of an app.
  /// - Parameter id: the identity that the app has given.
  package init(app id: String) { self.init(Self.appPrefix + id) }

  /// The identity that the app has given. Nil for the session of another source.
  package var app: String? { isOfApp ? String(rawValue.dropFirst(Self.appPrefix.count)) : nil }

  /// True for the session of an app.
  package var isOfApp: Bool { rawValue.hasPrefix(Self.appPrefix) }
}

extension PlayWishes {
  /// The app that is to play. Nil if another source, or nothing, is to play.
  package var wantedApp: SessionID? {
    entries.last { $0.wish == .play && $0.id.isOfApp }?.id
  }
}
