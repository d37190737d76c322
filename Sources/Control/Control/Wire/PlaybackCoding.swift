internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// Encodes the playback snapshot: the position, the time at which it was valid, and how playback continues from this
/// position. The time is from the machine's monotonic clock, so any reader on the same machine can compute the elapsed
/// time.
enum PlaybackCoding {
  static func value(of snapshot: MediaPlaybackSnapshot) -> BusValue {
    var fields = WireBuilder()
    switch snapshot.state {
    case .playing(let rate):
      fields.add("state", .string("playing"))
      fields.add("rate", .double(rate))
    case .paused: fields.add("state", .string("paused"))
    case .buffering: fields.add("state", .string("buffering"))
    case .interrupted: fields.add("state", .string("interrupted"))
    case .stopped: fields.add("state", .string("stopped"))
    }
    fields.add("defaultRate", .double(snapshot.defaultPlaybackRate))
    fields.add("elapsed", snapshot.elapsedTime.map { .time($0) })
    fields.add("awake", .time(snapshot.timestamp.awake))
    fields.add("suspended", .time(snapshot.timestamp.suspended))
    fields.add("seekNumber", .int64(Int64(clamping: snapshot.seekNumber)))
    fields.add("advancesInSuspend", .boolean(snapshot.advancesInSuspend))
    return fields.value
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

  static func snapshot(_ outer: WireFields) throws(WireError) -> MediaPlaybackSnapshot? {
    guard let fields = try outer.fields("playback") else { return nil }
    let defaultRate = try fields.number("defaultRate") ?? 1
    guard defaultRate > 0 else {
      throw WireError(
        fields.path(of: "defaultRate"), "expected a rate above 0, found \(defaultRate)")
    }
    return MediaPlaybackSnapshot(
      state: try state(fields), defaultPlaybackRate: defaultRate,
      elapsedTime: try fields.duration("elapsed"),
      timestamp: MonotonicInstant(
        awake: try fields.required("awake", fields.duration("awake")),
        suspended: try fields.duration("suspended") ?? .zero),
      seekNumber: try fields.integer("seekNumber") ?? 0,
      advancesInSuspend: try fields.flag("advancesInSuspend") ?? false)
  }

  private static func state(_ fields: WireFields) throws(WireError)
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
