public import NowPlaying

// What a program that is a source (an *app*) sends, and what the unit sends to it.

/// The session that an app opens.
package struct SessionOpening: Equatable, Sendable {
  /// The identity of the app, or the identity, a dot and a name of one of its sessions: `webradio`, `webradio.prompts`.
  package var id: String
  /// The name for people. Nil to use the identity.
  package var name: String?
  /// Defines how the sound combines with the sound of other sessions.
  package var audio: AudioSession.Options = []
  /// True for speech, which pauses where music is ducked.
  package var isSpoken = false
  /// True if the app continues where it was left, so that the unit can tell it to play after a restart.
  package var resumes = false
  /// The template that is used when a screen connects.
  package var template = PublishedTemplate()

  package init(_ id: String) { self.id = id }
}

/// What the unit answers to an app that has opened a session.
public struct SessionWelcome: Equatable, Sendable {
  /// The language of the unit.
  public var language: LanguageTag
  /// True if a screen that shows templates is connected.
  public var hasScreen: Bool
  /// True if the session played when it ended, so the app continues to play.
  public var hasPlayed: Bool

  public init(
    language: LanguageTag = .undefined, hasScreen: Bool = false, hasPlayed: Bool = false
  ) {
    self.language = language
    self.hasScreen = hasScreen
    self.hasPlayed = hasPlayed
  }
}

/// The template that an app sets. It can have more buttons than a screen shows.
package struct PublishedTemplate: Equatable, Sendable {
  /// The maximum number of buttons that are read.
  package static let maximumButtons = 16

  /// The buttons, from the leading to the trailing end. ``TemplateState/Button/value`` is not used.
  package var buttons: [TemplateState.Button] = []
  package var upNext = TemplateState.UpNext.off
  package var isAlbumArtistEnabled = false

  package init() {}
}

/// The complete description that an app publishes.
package struct SessionPublication: Equatable, Sendable {
  /// Where the position comes from.
  package enum Playback: Equatable, Sendable {
    /// The app measures the position itself. Nil if it has none. The timestamp is not later than the time of the call.
    case snapshot(MediaPlaybackSnapshot?)
    /// The unit plays the streams of the app and measures the position.
    /// - Parameters:
    ///   - players: the numbers of 1 to ``maximumPlayers`` streams of the session.
    ///   - leader: the stream that surfaces show; one of `players`.
    case streams(MediaPlaybackSnapshot.PlaybackState, players: [Int], leader: Int)
  }

  /// Whether the app can play.
  package enum Condition: Equatable, Sendable {
    case ready
    /// The app waits, for example for a network.
    case waiting(Explanation)
    case failed(Explanation)
  }

  /// A reason for the driver.
  package struct Explanation: Equatable, Sendable {
    package var sentence: String
    /// What the driver can do. Nil if the sentence is enough.
    package var remedy: String?

    package init(_ sentence: String, remedy: String? = nil) {
      self.sentence = sentence
      self.remedy = remedy
    }
  }

  package static let maximumPlayers = 4

  /// The content. Its cover has only an identity: the unit requests the picture with `ArtworkWanted`.
  package var content: MediaContent?
  package var playback = Playback.snapshot(nil)
  /// At most one offer of each command. The parameters are those of the command.
  package var commands: [CommandOffer] = []
  package var upNext: [UpNextItem] = []
  package var isSelfPublished = false
  package var condition = Condition.ready

  package init() {}

  /// The same publication, with a timestamp between the start of the clock and `now`.
  func measured(by now: MonotonicInstant) -> SessionPublication {
    guard case .snapshot(let old?) = playback else { return self }
    func clamped(_ time: Duration, _ now: Duration) -> Duration { min(max(time, .zero), now) }
    var copy = self
    copy.playback = .snapshot(
      MediaPlaybackSnapshot(
        state: old.state, defaultPlaybackRate: old.defaultPlaybackRate,
        elapsedTime: old.elapsedTime,
        timestamp: MonotonicInstant(
          awake: clamped(old.timestamp.awake, now.awake),
          suspended: clamped(old.timestamp.suspended, now.suspended)),
        seekNumber: old.seekNumber, advancesInSuspend: old.advancesInSuspend))
    return copy
  }
}

/// The reason for which an app claims to be Now Playing.
public enum ClaimReason: String, Sendable, CaseIterable {
  /// A person has started playback in the app.
  case person
  /// The app has started by itself.
  case automatic
}

/// The format of the frames of a stream.
public struct SoundFormat: Equatable, Sendable {
  /// Which clock sets the pace.
  public enum Kind: String, Sendable, CaseIterable {
    /// The unit pulls the frames as it plays them.
    case track
    /// The app sends frames at the pace of its own clock.
    case live
  }

  /// The coding of a sample, little endian.
  public enum Samples: String, Sendable, CaseIterable {
    /// 16 bits.
    case s16
    /// 32 bits. 24 bits are left-justified.
    case s32
    /// Floating point, 32 bits.
    case f32
  }

  /// The rates that are possible.
  public static let rates = 8000...192_000
  /// The numbers of channels that are possible.
  public static let channelCounts = 1...2

  /// Which clock sets the pace.
  public var kind = Kind.track
  /// Frames per second, in ``rates``.
  public var rate: Int
  /// In ``channelCounts``.
  public var channels: Int
  /// The coding of a sample.
  public var samples: Samples

  public init(_ kind: Kind = .track, rate: Int, channels: Int, samples: Samples) {
    self.kind = kind
    self.rate = rate
    self.channels = channels
    self.samples = samples
  }
}

/// What the frames of a stream are, from one frame on.
package struct SoundMark: Equatable, Sendable {
  /// The upper bound of frame numbers. A number below it is exact as a `Double`.
  package static let frameLimit = 1 << 52

  /// The number of the first frame.
  package var frame: Int
  /// Nil if the content stays as it is.
  package var content: MediaContent?
  /// The gross position in the content at the first frame. Not negative.
  package var time: Duration
  /// How fast the content advances while its frames are heard at the normal speed. Above 0.
  package var rate: Double
  /// The normal rate. Above 0.
  package var defaultRate: Double

  package init(
    frame: Int, content: MediaContent? = nil, time: Duration, rate: Double = 1,
    defaultRate: Double = 1
  ) {
    self.frame = frame
    self.content = content
    self.time = time
    self.rate = rate
    self.defaultRate = defaultRate
  }
}

/// The frame of a stream that was heard at a moment.
package struct HeardFrame: Equatable, Sendable {
  package var stream: Int
  package var frame: Int
  package var at: MonotonicInstant

  package init(stream: Int, frame: Int, at: MonotonicInstant) {
    self.stream = stream
    self.frame = frame
    self.at = at
  }
}

/// An event of a stream.
public enum SoundEvent: String, Sendable, CaseIterable {
  /// The unit has no more frames to play.
  case starved
  /// Frames arrive again.
  case fed
  /// Frames were lost or thrown away that the app did not flush.
  case dropped
}

/// The reason why an app must be silent. Unlike ``HoldReason``, it does not say which other session plays.
public enum SessionHold: Equatable, Sendable {
  case audioSessionInactive
  case interruption(Interruption.Reason)
  case outputLost
  case silenced
  case takenOver

  package init(_ reason: HoldReason) {
    switch reason {
    case .audioSessionInactive: self = .audioSessionInactive
    case .interruption(let reason): self = .interruption(reason)
    case .outputLost: self = .outputLost
    case .silenced: self = .silenced
    case .takenOver: self = .takenOver
    }
  }
}

/// An instruction to an app about its sound, see ``SessionInstruction``.
public enum AppInstruction: Equatable, Sendable {
  case pause(SessionHold)
  case resume
  case duck(Ducking)
  case unduck(Ducking)

  package init(_ instruction: SessionInstruction) {
    switch instruction {
    case .pause(let reason): self = .pause(SessionHold(reason))
    case .resume: self = .resume
    case .duck(let ducking): self = .duck(ducking)
    case .unduck(let ducking): self = .unduck(ducking)
    }
  }
}

/// What an app learns about its own session.
public struct SessionStatus: Equatable, Sendable {
  /// True if surfaces show the session.
  public var isPrimary: Bool
  /// The reason why the app must be silent. Nil if it may sound.
  public var hold: SessionHold?
  /// The parts without which the session cannot be Now Playing.
  public var missing: [MissingPart]
  /// The language of the unit.
  public var language: LanguageTag

  public init(
    isPrimary: Bool = false, hold: SessionHold? = nil, missing: [MissingPart] = [],
    language: LanguageTag = .undefined
  ) {
    self.isPrimary = isPrimary
    self.hold = hold
    self.missing = missing
    self.language = language
  }
}

/// A screen that shows templates has connected.
public struct ConnectedScreen: Equatable, Sendable {
  /// The number that the app passes back with its template.
  public var number: Int
  public var name: String

  public init(number: Int, name: String) {
    self.number = number
    self.name = name
  }
}
