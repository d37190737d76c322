public import NowPlaying
internal import SystemClock

/// What plays, like the dictionary of Apple's `MPNowPlayingInfoCenter`. Times are in seconds.
public struct NowPlayingInfo {
  /// The identity of the content. Nil to derive it from title, artist and album. So another title is another track.
  public var externalContentIdentifier: String?
  /// The title.
  public var title: String?
  /// The artist, or the second line.
  public var artist: String?
  /// The album, or the third line.
  public var albumTitle: String?
  /// The artist of the album.
  public var albumArtist: String?
  /// The composer.
  public var composer: String?
  /// The genre.
  public var genre: String?
  /// The number of the track on its album.
  public var albumTrackNumber: Int?
  /// The length, with advertisements. Nil if it is unknown.
  public var playbackDuration: Double?
  /// The position at the moment at which the info is set, with advertisements.
  public var elapsedPlaybackTime: Double?
  /// How fast the content advances. 0 means paused. Not read for a session with players.
  public var playbackRate = 1.0
  /// The normal rate, above 0.
  public var defaultPlaybackRate = 1.0
  /// True for a broadcast.
  public var isLiveStream = false
  /// True for explicit content; nil if unknown.
  public var isExplicit: Bool?
  /// The identity of the album, show or list.
  public var collectionIdentifier: String?
  /// The cover.
  public var artwork: Artwork?
  /// Advertisements within the content.
  public var adTimeRanges: [AdTimeRange] = []
  /// Further facts, and texts in further languages.
  public var metadata = MetadataItems()

  public init(
    title: String? = nil, artist: String? = nil, albumTitle: String? = nil,
    playbackDuration: Double? = nil, elapsedPlaybackTime: Double? = nil, artwork: Artwork? = nil
  ) {
    self.title = title
    self.artist = artist
    self.albumTitle = albumTitle
    self.playbackDuration = playbackDuration
    self.elapsedPlaybackTime = elapsedPlaybackTime
    self.artwork = artwork
  }

  var content: MediaContent {
    var items = metadata
    let texts: [(MetadataIdentifier, String?)] = [
      (.title, title), (.artist, artist), (.albumName, albumTitle), (.albumArtist, albumArtist),
      (.composer, composer), (.genre, genre),
    ]
    for case (let identifier, let text?) in texts { items.append(MetadataItem(identifier, text)) }
    if let albumTrackNumber { items.append(MetadataItem(.trackNumber, albumTrackNumber)) }
    let derived = [title, artist, albumTitle].map { $0 ?? "" }.joined(separator: "\n")
    var content = MusicContent(
      id: externalContentIdentifier ?? derived, metadata: items,
      duration: isLiveStream ? .live : playbackDuration.flatMap(Self.time).map { .finite($0) },
      artwork: artwork)
    content.adTimeRanges = adTimeRanges
    content.collectionID = collectionIdentifier
    content.isExplicit = isExplicit
    return .music(content)
  }

  /// Nil for a value that is no time.
  static func time(_ seconds: Double) -> Duration? {
    seconds.isFinite && seconds.magnitude < 1e9 ? .seconds(max(0, seconds)) : nil
  }
}

/// What a session publishes, like Apple's `MPNowPlayingInfoCenter`.
public final class NowPlayingInfoCenter {
  weak var session: SourceSession?
  private var measured = MonotonicInstant.now()

  init() {}

  /// The info center of a session without players, for a program with one session.
  public static func `default`() -> NowPlayingInfoCenter {
    NowPlayingSession.shared.nowPlayingInfoCenter
  }

  /// What plays. Nil if nothing plays. Set it whole: each setting is published, and its position is that of now.
  public var nowPlayingInfo: NowPlayingInfo? {
    didSet {
      measured = .now()
      session?.setNeedsPublishing()
    }
  }

  /// The state. Nil to derive it from ``NowPlayingInfo/playbackRate``. Not read for a session with players.
  public var playbackState: MediaPlaybackSnapshot.PlaybackState? {
    didSet { session?.setNeedsPublishing() }
  }

  var snapshot: MediaPlaybackSnapshot? {
    guard let info = nowPlayingInfo else { return nil }
    let rate = info.defaultPlaybackRate
    return MediaPlaybackSnapshot(
      state: playbackState ?? .init(reportedRate: info.playbackRate) ?? .paused,
      defaultPlaybackRate: rate.isFinite && rate > 0 ? rate : 1,
      elapsedTime: info.elapsedPlaybackTime.flatMap(NowPlayingInfo.time), timestamp: measured)
  }
}
