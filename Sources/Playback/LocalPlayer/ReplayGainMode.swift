public import AudioCodecs
internal import AudioEngine
internal import Synchronization

/// The ReplayGain tags that are used.
public enum ReplayGainMode: Sendable, Equatable {
  case off
  case track
  case album
}

/// The current ``ReplayGainMode``. The control thread sets it, and the decode thread reads it when a segment begins.
final class ReplayGainChoice: Sendable {
  private let shared: Mutex<ReplayGainMode>

  init(_ mode: ReplayGainMode) { shared = Mutex(mode) }

  var mode: ReplayGainMode {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }
}

extension Loudness {
  /// Linear gain for a track. The gain is 1 if there are no tags. If the peak is known, the gain is limited so that the
  /// peak does not clip. If the value for the album is missing, the value for the track is used, and vice versa.
  public func gain(_ mode: ReplayGainMode) -> Float {
    let decibels: Double?
    let peak: Double?
    switch mode {
    case .off: return 1
    case .track: (decibels, peak) = (trackGain ?? albumGain, trackPeak ?? albumPeak)
    case .album: (decibels, peak) = (albumGain ?? trackGain, albumPeak ?? trackPeak)
    }
    guard let decibels else { return 1 }
    let gain = linearGain(decibels: decibels)
    guard let peak, peak > 0 else { return gain }
    return min(gain, Float(1 / peak))
  }
}

extension LocalPlayer {
  /// Uses these ReplayGain tags from now on. A track that plays is decoded again from its position, with a short fade,
  /// because its decoded frames have the earlier gain.
  public func setReplayGain(_ mode: ReplayGainMode) {
    guard mode != replayGain.mode else { return }
    replayGain.mode = mode
    if !state.isStopped, suspendedSeconds == nil { seek(to: elapsedSeconds) }
  }
}
