internal import AudioCodecs
internal import AudioEngine
internal import NowPlaying
internal import Synchronization

/// The gain of each track.
public struct ReplayGainSettings: Sendable, Equatable {
  /// The ReplayGain tags that are used.
  public enum Mode: Sendable {
    /// No tags. Each track plays with the gain 1.
    case off
    case track
    case album
    /// The tags of the track for a track that is requested while songs are shuffled, otherwise those of the album.
    case automatic
  }

  /// The tags that are used.
  public var mode: Mode
  /// The gain of a track without a gain in its tags, in decibels. Not used if ``mode`` is ``Mode/off``.
  public var missingDecibels: Double

  /// Creates settings.
  public init(_ mode: Mode = .off, missingDecibels: Double = -7) {
    self.mode = mode
    self.missingDecibels = missingDecibels
  }
}

/// The current ``ReplayGainSettings``. The control thread sets them, and the decode thread reads them when a segment
/// begins.
final class ReplayGainChoice: Sendable {
  private let shared: Mutex<ReplayGainSettings>

  init(_ settings: ReplayGainSettings) { shared = Mutex(settings) }

  var settings: ReplayGainSettings {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }
}

extension Loudness {
  /// Linear gain for a track. If the peak is known, the gain is limited so that the peak does not clip. If the value
  /// for the album is missing, the value for the track is used, and vice versa.
  ///
  /// - Parameter isShuffled: true if the track was requested while songs were shuffled.
  func gain(_ settings: ReplayGainSettings, isShuffled: Bool) -> Float {
    if settings.mode == .off { return 1 }
    let usesTrack = settings.mode == .track || (settings.mode == .automatic && isShuffled)
    let decibels = usesTrack ? trackGain ?? albumGain : albumGain ?? trackGain
    let peak = usesTrack ? trackPeak ?? albumPeak : albumPeak ?? trackPeak
    let gain = linearGain(decibels: decibels ?? settings.missingDecibels)
    guard let peak, peak > 0 else { return gain }
    return min(gain, Float(1 / peak))
  }
}

extension LocalPlayer {
  /// True while single songs are shuffled, not albums. The songs that are requested then have the gain of
  /// ``ReplayGainSettings/Mode/automatic`` for shuffled songs, for as long as they play.
  var isShufflingSongs: Bool { queue.shuffleMode == .items }

  /// Uses these settings from now on. A track that plays is decoded again from its position, with a short fade, because
  /// its decoded frames have the earlier gain.
  public func setReplayGain(_ settings: ReplayGainSettings) {
    let old = replayGain.settings
    guard settings != old else { return }
    replayGain.settings = settings
    if old.mode == .off, settings.mode == .off { return }
    if !state.isStopped, suspendedSeconds == nil { seek(to: elapsedSeconds) }
  }
}
