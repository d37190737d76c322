public import AudioCodecs
internal import Glibc

/// Which ReplayGain tags are obeyed.
public enum ReplayGainMode: Sendable, Equatable {
  case off
  case track
  case album
}

extension Loudness {
  /// Linear gain for a track; 1 where its tags say nothing. Never so much that the peak, where
  /// it is known, would clip. Album falls back to track, and track to album.
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

/// 0 dB is exactly 1, so that it changes no bit.
public func linearGain(decibels: Double) -> Float {
  decibels == 0 ? 1 : Float(pow(10, decibels / 20))
}
