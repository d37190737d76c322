import AudioCodecs
import AudioEngine
import HeadUnit
import LocalPlayer
import NowPlaying

extension NowPlayingView {
  /// The state of playback, as the view shows it.
  enum State: Equatable {
    case playing
    case paused
    case stopped
    /// Playback was requested, but no sound is heard yet.
    case buffering
  }

  /// The repeat mode.
  enum Repeat: Equatable {
    case off
    case one
    case all
  }

  /// All data that the view shows.
  struct Model: Equatable {
    var title: String
    /// The artist. The artist and the album are empty if they are unknown.
    var artist = ""
    var album = ""
    var state: State
    /// The elapsed time of this track, 0 or more.
    var elapsedSeconds: Double
    /// Nil if the file does not contain its duration.
    var durationSeconds: Double?
    /// The format of the file and the format of the device, such as `FLAC 24/96 stereo → S32 96 kHz`.
    var format = ""
    /// The name of the output.
    var output = ""
    /// The title of the next track. Nil if no track follows.
    var next: String?
    /// The volume. It is shown only if it is below the maximum.
    var volume = VolumeLevel.loudest
    var isMuted = false
    var repeatMode: Repeat = .off
    var shuffle = false
    /// The position of the track in the queue, from 1.
    var trackNumber = 1
    /// The number of tracks in the queue. If there are at least two, the view shows the position of the track.
    var trackCount = 1
    /// True if keys are read. If false, the view shows only the hint for Ctrl-C.
    var hasKeys = true
    /// True if the list of keys is shown in place of the music.
    var showsKeys = false
    /// A message that is shown in place of the key hints.
    var notice: String?
  }
}

extension NowPlayingView.Model {
  /// Creates the model from the present state of Now Playing. The formats and the position in the queue are from the
  /// player, because the state does not contain them. If `isEnding` is true, the elapsed time is from the player too.
  ///
  /// - Parameter isEnding: true if no track follows and the rest of the sound is still playing.
  init(
    of unit: HeadUnit, output: String, isEnding: Bool, hasKeys: Bool, showsKeys: Bool,
    notice: String?, at now: MonotonicInstant
  ) {
    let state = unit.center.state
    let lines = state.lines
    self.init(
      title: lines.title ?? "", state: isEnding ? .playing : Self.glyph(of: state.status),
      elapsedSeconds: isEnding
        ? unit.player.elapsedSeconds : state.elapsed(at: now).map { $0 / .seconds(1) } ?? 0,
      durationSeconds: state.duration.flatMap { $0.length }.map { $0 / .seconds(1) })
    artist = lines.subtitle ?? ""
    album = lines.detail ?? ""
    format = FormatText.path(unit.player.state.description, unit.player.state.device)
    self.output = output
    next = state.upNext.first?.title
    volume = state.volume.level
    isMuted = state.volume.isMuted
    repeatMode =
      switch state.repeatMode {
      case .off: .off
      case .one: .one
      case .all: .all
      }
    shuffle = state.shuffleMode != .off
    trackNumber = unit.queueIndex + 1
    trackCount = unit.player.count
    self.hasKeys = hasKeys
    self.showsKeys = showsKeys
    self.notice = notice
  }

  private static func glyph(of status: PlaybackStatus) -> NowPlayingView.State {
    switch status {
    case .playing, .seekingForward, .seekingBackward: .playing
    case .paused, .interrupted: .paused
    case .buffering: .buffering
    case .stopped: .stopped
    }
  }
}
