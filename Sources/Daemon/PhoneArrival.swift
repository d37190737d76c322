package import NowPlaying
internal import Reports
internal import Settings

/// Tells the PLAY that a phone sends by itself while it connects from one that somebody pressed.
///
/// On the wire they are the same; only the time since it connected differs, and that nothing else
/// came before. Whoever takes a phone's commands says when one connected, and asks before each. As a
/// value; control thread.
struct PhoneArrival {
  /// Who has just connected is not yet pressing keys. A choice, not a measurement.
  static let window = Duration.seconds(3)

  /// When the phone connected; nil once it has shown that somebody holds it.
  private var arrived: MonotonicInstant?

  /// A phone's command channel is up.
  mutating func connected(at now: MonotonicInstant) { arrived = now }

  /// Whether a request of that phone is to be obeyed (`play-on-connect`).
  ///
  /// - Parameter now: when it came.
  mutating func obeys(
    _ request: MediaRequest, under policy: Settings.ConnectPolicy, at now: MonotonicInstant
  ) -> Bool {
    guard policy == .ignore, let arrived, now.wholeTime(since: arrived) < Self.window else {
      return true
    }
    if case .play = request { return false }
    self.arrived = nil
    return true
  }
}

// What the phone's surface asks before it hands a command in.
extension UnitDaemon {
  /// A phone's command channel is up.
  package func phoneConnected(at now: MonotonicInstant) { phone.connected(at: now) }

  /// Whether a request that came from the phone is to be handed in: not the PLAY that it sends by
  /// itself while it connects, unless the configuration says so. What is left out is in the log.
  package func obeysPhone(_ request: MediaRequest, at now: MonotonicInstant) -> Bool {
    let obeys = phone.obeys(request, under: settings.playOnConnect, at: now)
    if !obeys {
      log(
        .notice, "the phone's PLAY on connecting is left out; 'play-on-connect' would let it in",
        at: now)
    }
    return obeys
  }
}
