package import NowPlaying

/// The complete description that an app publishes, as one value (P4).
package struct AppDescription: Equatable {
  /// Where the position comes from.
  package enum Playback: Equatable {
    /// The app measures the position itself. Nil if there is no position.
    case snapshot(MediaPlaybackSnapshot?)
    /// The unit plays the streams `players`, one after the other, and measures the position of `leader`.
    case streams(MediaPlaybackSnapshot.PlaybackState, players: [Int], leader: Int)
  }

  package var content: MediaContent?
  package var playback = Playback.snapshot(nil)
  package var commands: [CommandOffer] = []
  package var upNext: [UpNextItem] = []
  /// See ``SessionDescription/publishesItself``.
  package var publishesItself = false
  /// Why the app cannot play now. Nil if it can.
  package var obstacle: Refusal?

  package init() {}
}

/// Something that an app must learn about its session.
package enum AppEvent: Equatable {
  /// A command. The app answers it with ``AppSession/answer(_:_:)`` and this number.
  case command(number: Int, CommandRequest)
  case instruction(SessionInstruction)
  /// A screen that shows templates has connected.
  case screenConnected(number: Int, SurfaceDescription)
  /// A surface needs the cover of a content.
  case artworkWanted(ArtworkRequest)
  case status(AppStatus)
  /// The frame of a stream that was heard at a moment.
  case heard(stream: Int, frame: Int64, at: MonotonicInstant)
  /// The engine had no more frames of a stream.
  case starved(stream: Int)
  /// Frames of a stream arrive again.
  case fed(stream: Int)
  /// Frames of a stream were lost.
  case dropped(stream: Int)
}

/// What an app learns about its session.
package struct AppStatus: Equatable {
  package var isPrimary = false
  /// Why the app must be silent. Nil if it may sound.
  package var hold: HoldReason?
  package var missing: [MissingPart] = []
  /// The language of the unit.
  package var language = LanguageTag.undefined

  package init() {}
}
