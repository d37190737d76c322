import AudioCodecs
import AudioEngine
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
    /// The user's change of level; shown where it is not 0.
    var gainDecibels: Double = 0
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
  /// What a player knows.
  ///
  /// - Parameter isEnding: nothing follows, and the end of what was handed over is still heard.
  init(of player: LocalPlayer, output: String, isEnding: Bool, hasKeys: Bool, notice: String?) {
    let state = player.state
    self.init(
      title: state.metadata.title ?? state.file.fileName,
      state: state.isStopped && !isEnding
        ? .stopped : state.isPaused ? .paused : state.description == nil ? .buffering : .playing,
      elapsedSeconds: player.elapsedSeconds, durationSeconds: state.description?.durationSeconds)
    artist = state.metadata.artist ?? ""
    album = state.metadata.album ?? ""
    format = FormatText.path(state.description, state.device)
    self.output = output
    next = player.upNext.map { $0.metadata.title ?? $0.fileName }
    gainDecibels = state.gainDecibels
    isMuted = state.isMuted
    repeatMode =
      switch player.queue.repeatMode {
      case .off: .off
      case .one: .one
      case .all: .all
      }
    shuffle = player.queue.isShuffled
    trackNumber = state.place + 1
    trackCount = player.count
    self.hasKeys = hasKeys
    self.notice = notice
  }
}
