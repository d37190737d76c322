internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// Encodes the playback snapshot: the position, the time at which it was valid, and how playback continues from this
/// position. The time is from the machine's monotonic clock, so any reader on the same machine can compute the elapsed
/// time.
enum PlaybackCoding {
  static func value(of snapshot: MediaPlaybackSnapshot) -> BusValue {
    var fields = WireBuilder()
    add(snapshot.state, to: &fields)
    fields.add("defaultRate", .double(snapshot.defaultPlaybackRate))
    fields.add("elapsed", snapshot.elapsedTime.map { .time($0) })
    fields.add("awake", .time(snapshot.timestamp.awake))
    fields.add("suspended", .time(snapshot.timestamp.suspended))
    fields.add("seekNumber", .int64(Int64(clamping: snapshot.seekNumber)))
    fields.add("advancesInSuspend", .boolean(snapshot.advancesInSuspend))
    return fields.value
  }

  /// Encodes the state of a source whose position the unit measures.
  static func value(of state: MediaPlaybackSnapshot.PlaybackState) -> BusValue {
    var fields = WireBuilder()
    add(state, to: &fields)
    return fields.value
  }

  private static func add(
    _ state: MediaPlaybackSnapshot.PlaybackState, to fields: inout WireBuilder
  ) {
    switch state {
    case .playing(let rate):
      fields.add("state", .string("playing"))
      fields.add("rate", .double(rate))
    case .paused: fields.add("state", .string("paused"))
    case .buffering: fields.add("state", .string("buffering"))
    case .interrupted: fields.add("state", .string("interrupted"))
    case .stopped: fields.add("state", .string("stopped"))
    }
  }

  static func value(of hold: PlaybackHold) -> BusValue {
    var fields = WireBuilder()
    switch hold {
    case .interruption(let reason):
      fields.add("kind", .string("interruption"))
      fields.add("reason", WireText.word(reason.description))
    case .outputLost: fields.add("kind", .string("outputLost"))
    case .resuming: fields.add("kind", .string("resuming"))
    case .source: fields.add("kind", .string("source"))
    }
    return fields.value
  }

  /// Nil also for a kind of hold that this program does not know.
  static func hold(_ outer: WireFields) throws(WireError) -> PlaybackHold? {
    guard let fields = try outer.fields("hold") else { return nil }
    switch try fields.text("kind") {
    case "interruption":
      return .interruption(.init(try fields.required("reason", fields.text("reason"))))
    case "outputLost": return .outputLost
    case "resuming": return .resuming
    case "source": return .source
    default: return nil
    }
  }

  /// - Parameter otherwise: the timestamp of a snapshot that has none. If it is nil, the timestamp is required.
  static func snapshot(
    _ outer: WireFields, otherwise timestamp: MonotonicInstant? = nil
  ) throws(WireError) -> MediaPlaybackSnapshot? {
    guard let fields = try outer.fields("playback") else { return nil }
    let defaultRate = try fields.number("defaultRate") ?? 1
    guard defaultRate > 0 else {
      throw WireError(
        fields.path(of: "defaultRate"), "expected a rate above 0, found \(defaultRate)")
    }
    return MediaPlaybackSnapshot(
      state: try state(fields), defaultPlaybackRate: defaultRate,
      elapsedTime: try fields.duration("elapsed"),
      timestamp: try instant(fields, otherwise: timestamp),
      seekNumber: try fields.integer("seekNumber") ?? 0,
      advancesInSuspend: try fields.flag("advancesInSuspend") ?? false)
  }

  private static func instant(
    _ fields: WireFields, otherwise instant: MonotonicInstant?
  ) throws(WireError) -> MonotonicInstant {
    let awake = try fields.duration("awake")
    if awake == nil, let instant { return instant }
    return MonotonicInstant(
      awake: try fields.required("awake", awake),
      suspended: try fields.duration("suspended") ?? .zero)
  }

  static func state(_ fields: WireFields) throws(WireError)
    -> MediaPlaybackSnapshot.PlaybackState
  {
    let word = try fields.required("state", fields.text("state"))
    switch word {
    case "playing":
      let rate = try fields.number("rate") ?? 1
      guard rate != 0 else {
        throw WireError(fields.path(of: "rate"), "expected a rate other than 0 while playing")
      }
      return .playing(rate: rate)
    case "paused": return .paused
    case "buffering": return .buffering
    case "interrupted": return .interrupted
    case "stopped": return .stopped
    // An unknown state is an error. If the client guessed a state, it could wrongly show that content plays.
    default: throw WireError(fields.path(of: "state"), "unknown state '\(word)'")
    }
  }
}
