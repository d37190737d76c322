package import NowPlaying

/// The properties of the player that BlueZ reads, made from the state of the head unit. If a new state gives equal
/// properties, no signal to BlueZ is needed.
package struct PlayerProperties: Hashable, Sendable {
  /// The track, in the form that phones read.
  package struct Track: Hashable, Sendable {
    package var title: String
    /// All artists in one text, because BlueZ passes on only the first element of a list.
    package var artist: String
    package var album: String
    package var genre: String
    /// The length; nil if the track has no end or the length is unknown.
    package var length: Duration?
    package var number: Int?

    package init(
      title: String, artist: String = "", album: String = "", genre: String = "",
      length: Duration? = nil, number: Int? = nil
    ) {
      self.title = title
      self.artist = artist
      self.album = album
      self.genre = genre
      self.length = length
      self.number = number
    }
  }

  /// The raw values are the words that BlueZ uses. The last two words are not part of MPRIS. For any other word, BlueZ
  /// sends the status 0xEA to phones.
  package enum Status: String, Hashable, Sendable, CaseIterable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
    case forwardSeek = "forward-seek"
    case reverseSeek = "reverse-seek"
  }

  /// The raw values are the words of MPRIS.
  package enum Loop: String, Hashable, Sendable, CaseIterable {
    case off = "None"
    case one = "Track"
    case all = "Playlist"
  }

  /// A flag permits bluetoothd to call a method of the player when a person presses a key of a phone. If the flag is
  /// off, bluetoothd sends the key to the input device of the phone instead.
  package enum Flag: String, Hashable, Sendable, CaseIterable {
    case canPlay = "CanPlay"
    case canPause = "CanPause"
    case canGoNext = "CanGoNext"
    case canGoPrevious = "CanGoPrevious"
    case canControl = "CanControl"
  }

  /// Nil if there is nothing to play.
  package var track: Track?
  package var status: Status
  package var loop: Loop
  package var isShuffled: Bool
  package var flags: Set<Flag>

  package init(
    track: Track?, status: Status = .stopped, loop: Loop = .off, isShuffled: Bool = false,
    flags: Set<Flag> = [.canControl]
  ) {
    self.track = track
    self.status = status
    self.loop = loop
    self.isShuffled = isShuffled
    self.flags = flags
  }

  /// Makes the properties from a state of the head unit.
  package init(_ state: NowPlayingState, limits: TextLimits) {
    self.init(
      track: state.content.map { Track($0, state, limits) }, status: Status(state.status),
      loop: Loop(state.repeatMode), isShuffled: state.shuffleMode != .off,
      flags: Self.flags(of: state))
  }

  private static func flags(of state: NowPlayingState) -> Set<Flag> {
    func isOffered(_ kinds: CommandKind...) -> Bool {
      kinds.contains { state.command($0)?.isEnabled == true }
    }
    var flags: Set<Flag> = [.canControl]
    if isOffered(.play, .togglePlayPause) { flags.insert(.canPlay) }
    if isOffered(.pause, .togglePlayPause) { flags.insert(.canPause) }
    if isOffered(.next) { flags.insert(.canGoNext) }
    if isOffered(.previous) { flags.insert(.canGoPrevious) }
    return flags
  }
}

extension PlayerProperties.Track {
  fileprivate init(_ content: MediaContent, _ state: NowPlayingState, _ limits: TextLimits) {
    let lines = state.lines
    let artists = content.metadata.texts(.artist, for: state.language)
    let genres = content.metadata.texts(.genre, for: state.language)
    let joined = AttributeText.separator
    self.init(
      title: AttributeText.cut(lines.title ?? "", to: limits.title),
      artist: AttributeText.cut(
        artists.isEmpty ? lines.subtitle ?? "" : artists.joined(separator: joined),
        to: limits.artist),
      album: AttributeText.cut(lines.detail ?? "", to: limits.album),
      genre: AttributeText.cut(genres.joined(separator: joined), to: limits.genre),
      length: state.duration?.length.flatMap(Self.limited),
      number: content.metadata.number(.trackNumber).flatMap {
        $0 > 0 ? Int(Int32(clamping: $0)) : nil
      })
  }
}

extension PlayerProperties.Track {
  /// The length in microseconds, limited to the range of BlueZ. Nil if the length is zero or negative.
  private static func limited(_ length: Duration) -> Duration? {
    length <= .zero ? nil : .microseconds(PlayerCoding.microseconds(length))
  }
}

extension PlayerProperties.Status {
  /// While a source waits for data or is interrupted, playback does not advance. BlueZ's clock must then stand still,
  /// so the status is `paused`.
  package init(_ status: PlaybackStatus) {
    self =
      switch status {
      case .playing: .playing
      case .paused, .interrupted, .buffering: .paused
      case .stopped: .stopped
      case .seekingForward: .forwardSeek
      case .seekingBackward: .reverseSeek
      }
  }
}

extension PlayerProperties.Loop {
  init(_ mode: MediaCommand.RepeatMode) {
    self =
      switch mode {
      case .off: .off
      case .one: .one
      case .all: .all
      }
  }

  var mode: MediaCommand.RepeatMode {
    switch self {
    case .off: .off
    case .one: .one
    case .all: .all
    }
  }
}
