/// Why a state was published.
public enum PublicationReason: String, Hashable, Sendable, CaseIterable {
  // The five moments at which the clock is published (P2).

  /// Begins to advance.
  case start
  /// Ceases to advance, or stands for another reason than before.
  case pause
  /// Is at another place than surfaces infer.
  case seek
  /// Something else plays.
  case trackChange
  /// Advances at another rate.
  case rateChange

  // What is state too, and leaves the clock alone.

  /// Another session is Now Playing, or none.
  case session
  /// More is known about the same content.
  case metadata
  /// Other commands, other modes (C5, S3).
  case commands
  /// Something else comes next.
  case upNext
  /// The source changed what it adds to the screen.
  case template
  case volume
  /// Something began or ceased to hold playback (E4).
  case interruption
  case language

  /// Whether the clock is published: P2's list.
  public var isOfTheClock: Bool {
    switch self {
    case .start, .pause, .seek, .trackChange, .rateChange: true
    default: false
    }
  }

  /// All that happened between two states.
  public static func between(_ old: NowPlayingState, _ new: NowPlayingState)
    -> [PublicationReason]
  {
    var moments: [PublicationReason] = []
    let isOtherTrack = old.session != new.session || old.content?.id != new.content?.id
    if old.session != new.session { moments.append(.session) }
    if isOtherTrack {
      moments.append(.trackChange)
    } else if old.content != new.content || old.isSelfPublished != new.isSelfPublished {
      moments.append(.metadata)
    }
    moments += clock(old.playback, new.playback, isOtherTrack: isOtherTrack)
    if old.commands != new.commands { moments.append(.commands) }
    if old.upNext != new.upNext { moments.append(.upNext) }
    if old.template != new.template { moments.append(.template) }
    if old.volume != new.volume { moments.append(.volume) }
    if old.interruptions != new.interruptions { moments.append(.interruption) }
    if old.language != new.language { moments.append(.language) }
    return moments
  }

  private static func clock(
    _ old: MediaPlaybackSnapshot?, _ new: MediaPlaybackSnapshot?, isOtherTrack: Bool
  ) -> [PublicationReason] {
    guard old != new else { return [] }
    var moments: [PublicationReason] = []
    let was = old?.status ?? .stopped
    let now = new?.status ?? .stopped
    if now.isAdvancing, !was.isAdvancing {
      moments.append(.start)
    } else if !now.isAdvancing, was != now {
      moments.append(.pause)
    } else if old?.rate != new?.rate || old?.defaultPlaybackRate != new?.defaultPlaybackRate {
      moments.append(.rateChange)
    }
    // Where nothing else explains the new anchor, it is at another place.
    let hasSought = old?.seekNumber != new?.seekNumber
    if !isOtherTrack, old != nil, new != nil, hasSought || moments.isEmpty {
      moments.append(.seek)
    }
    return moments
  }
}

/// One publication, for the trace.
public struct Publication: Hashable, Sendable {
  /// Of the state.
  public let revision: Int
  /// When.
  public let at: MonotonicInstant
  /// Why.
  public let moments: [PublicationReason]
}
