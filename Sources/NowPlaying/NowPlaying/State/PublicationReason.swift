/// The reason why a state was published.
public enum PublicationReason: String, Hashable, Sendable, CaseIterable {
  // The five moments at which a new anchor is published (P2).

  /// Playback begins to advance.
  case start
  /// Playback stops advancing. Or playback does not advance, and its status changes, for example
  /// from *paused* to *stopped*.
  case pause
  /// The position differs from the position that surfaces compute.
  case seek
  /// Other content plays.
  case trackChange
  /// Playback advances at another rate.
  case rateChange

  // Changes that leave the anchor unchanged.

  /// Another session became Now Playing, or no session is Now Playing any more.
  case session
  /// The facts about the same content changed.
  case metadata
  /// The commands or modes changed (C5, S3).
  case commands
  /// The list of the items that play next changed.
  case upNext
  /// The source changed its template.
  case template
  case volume
  /// An interruption began or ended (E4).
  case interruption
  case language

  /// True for the five moments of P2, at which a new anchor is published.
  public var changesTheAnchor: Bool {
    switch self {
    case .start, .pause, .seek, .trackChange, .rateChange: true
    default: false
    }
  }

  /// All reasons that explain the difference between two states.
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
    // If nothing else explains the new anchor, the position has changed.
    let hasSeekCompleted = old?.seekNumber != new?.seekNumber
    if !isOtherTrack, old != nil, new != nil, hasSeekCompleted || moments.isEmpty {
      moments.append(.seek)
    }
    return moments
  }
}

/// One publication, for the trace.
public struct Publication: Hashable, Sendable {
  /// The revision of the state.
  public let revision: Int
  /// The time at which the state was published.
  public let at: MonotonicInstant
  /// The reasons why the state was published.
  public let moments: [PublicationReason]
}
