import NowPlayingClient

/// What is wanted of the source, and what follows for its state and its frames. A value without I/O.
struct Playback: Equatable {
  enum Wish: Equatable {
    case play
    case pause
    case stop
    /// The unit has interrupted the sound, and lets it continue later.
    case interrupted
  }

  let kind: SoundFormat.Kind
  var wish: Wish
  /// Live: frames have arrived within the last second.
  var flows = false
  /// True if the session is Now Playing and may sound.
  var isHeard = false

  /// Live: the time without frames after which the source is paused.
  static let silence = Duration.seconds(1)

  /// The state that is published. The unit shows by itself that it waits for frames of a track.
  var state: MediaPlaybackSnapshot.PlaybackState {
    switch wish {
    case .pause: .paused
    case .stop: .stopped
    case .interrupted: .interrupted
    case .play:
      switch kind {
      case .track: .playing(rate: 1)
      case .live: flows ? .playing(rate: 1) : .paused
      }
    }
  }

  /// True if PROGRAM is to run.
  var isWanted: Bool { wish == .play || wish == .interrupted }

  /// True if the frames of PROGRAM are read. Otherwise the pipe fills, and PROGRAM waits.
  var reads: Bool { kind == .live || wish == .play }

  /// True if the frames that were read get into the stream. Otherwise they are thrown away.
  var keeps: Bool { kind == .track || wish == .play && isHeard }

  /// Live: a frame has arrived.
  mutating func frameArrived() {
    guard !flows else { return }
    flows = true
    // The sender has started again after a break. The unit decides whether it may sound.
    if wish == .pause || wish == .stop { wish = .play }
  }

  mutating func follow(_ instruction: AppInstruction) {
    switch instruction {
    // Another source plays, so this one does not continue by itself.
    case .pause(.takenOver) where isWanted: wish = .pause
    case .pause where wish == .play: wish = .interrupted
    case .resume where wish != .stop: wish = .play
    case .pause, .resume, .duck, .unduck: break
    }
  }
}
