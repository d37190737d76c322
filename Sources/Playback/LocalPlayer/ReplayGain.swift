public import AudioCodecs
internal import AudioEngine

/// The ReplayGain tags that are used.
public enum ReplayGainMode: Sendable, Equatable {
  case off
  case track
  case album
}

extension Loudness {
  /// Linear gain for a track. The gain is 1 if there are no tags. If the peak is known, the gain is
  /// limited so that the peak does not clip. If the value for the album is missing, the value for
  /// the track is used, and vice versa.
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
