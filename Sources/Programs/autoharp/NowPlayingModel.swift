import AudioCodecs
import AudioEngine
import HeadUnit
import LocalPlayer
import NowPlaying

extension NowPlayingView {
  /// What the transport is doing.
  enum State: Equatable {
    case playing
    case paused
    case stopped
    /// Sound was asked for and is not there yet.
    case buffering
  }

  /// What begins again at its end.
  enum Repeat: Equatable {
    case off
    case one
    case all
  }

  /// Everything the picture shows.
  struct Model: Equatable {
    var title: String
    /// Empty where unknown, as is `album`.
    var artist = ""
    var album = ""
    var state: State
    /// Heard so far of this track, 0 or more.
    var elapsedSeconds: Double
    /// nil where the file does not say.
    var durationSeconds: Double?
    /// From the file to the device, as in `FLAC 24/96 stereo → S32 96 kHz`.
    var format = ""
    /// Name of the output.
    var output = ""
    /// Title of the track after this one; nil after the last.
    var next: String?
    /// Shown where it is not the loudest.
    var volume = VolumeLevel.loudest
    var isMuted = false
    var repeatMode: Repeat = .off
    var shuffle = false
    /// Place of the track in the queue, from 1.
    var trackNumber = 1
    /// Length of the queue; the place is shown from 2 on.
    var trackCount = 1
    /// Somebody listens to keys; else there are no hints at them.
    var hasKeys = true
    /// Something to know now; takes the place of the key hints.
    var notice: String?
  }
}

extension NowPlayingView.Model {
  /// The state of Now Playing; from what plays only what is no part of that: places and formats.
  ///
  /// - Parameter isEnding: nothing follows, and the end of what was handed over is still heard.
  init(
    of unit: HeadUnit, output: String, isEnding: Bool, hasKeys: Bool, notice: String?,
    at now: MonotonicInstant
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
    trackNumber = unit.place + 1
    trackCount = unit.player.count
    self.hasKeys = hasKeys
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
