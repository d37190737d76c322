/// The reason why a state was published.
public enum PublicationReason: String, Hashable, Sendable, CaseIterable {
  // The five reasons for which a new anchor is published (P2). Surfaces compute the position from the anchor.

  /// Playback begins to advance.
  case start
  /// Playback stops advancing. Or playback does not advance, and its status changes, for example from *paused* to
  /// *stopped*.
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
  /// An interruption began or ended, or playback is interrupted for another reason (E4).
  case interruption
  case language

  /// True for the five reasons of P2, for which a new anchor is published.
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
    var reasons: [PublicationReason] = []
    let isOtherTrack = old.session != new.session || old.content?.id != new.content?.id
    if old.session != new.session { reasons.append(.session) }
    if isOtherTrack {
      reasons.append(.trackChange)
    } else if old.content != new.content || old.isSelfPublished != new.isSelfPublished
      || old.obstacle != new.obstacle
    {
      reasons.append(.metadata)
    }
    reasons += clock(old.playback, new.playback, isOtherTrack: isOtherTrack)
    if old.commands != new.commands { reasons.append(.commands) }
    if old.upNext != new.upNext { reasons.append(.upNext) }
    if old.template != new.template { reasons.append(.template) }
    if old.volume != new.volume { reasons.append(.volume) }
    if old.interruptions != new.interruptions || old.hold != new.hold {
      reasons.append(.interruption)
    }
    if old.language != new.language { reasons.append(.language) }
    return reasons
  }

  private static func clock(
    _ old: MediaPlaybackSnapshot?, _ new: MediaPlaybackSnapshot?, isOtherTrack: Bool
  ) -> [PublicationReason] {
    guard old != new else { return [] }
    var reasons: [PublicationReason] = []
    let was = old?.status ?? .stopped
    let now = new?.status ?? .stopped
    if now.isAdvancing, !was.isAdvancing {
      reasons.append(.start)
    } else if !now.isAdvancing, was != now {
      reasons.append(.pause)
    } else if old?.rate != new?.rate || old?.defaultPlaybackRate != new?.defaultPlaybackRate {
      reasons.append(.rateChange)
    }
    // If nothing else explains the new anchor, the position has changed.
    let hasSeekCompleted = old?.seekNumber != new?.seekNumber
    if !isOtherTrack, old != nil, new != nil, hasSeekCompleted || reasons.isEmpty {
      reasons.append(.seek)
    }
    return reasons
  }
}

/// One publication, for the trace.
public struct Publication: Hashable, Sendable {
  /// The revision of the state.
  public let revision: Int
  /// The time at which the state was published.
  public let at: MonotonicInstant
  /// The reasons why the state was published.
  public let reasons: [PublicationReason]
}
