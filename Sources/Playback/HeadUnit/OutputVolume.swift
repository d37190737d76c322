internal import AudioEngine
internal import LocalPlayer
internal import NowPlaying

/// Passes the head unit's volume to the engine, and records in the trace when a change is heard.
struct OutputVolume {
  private let trimDecibels: Double
  private let duckingDecibels: Double
  private var applied: (volume: Volume, attenuation: SoundAttenuation)?
  private var seenCommands = 0
  private var awaited: [(effect: Effect, commands: [Int])] = []
  /// Maximum number of entries in `awaited`. If there is no output, no effect is ever heard, and without this limit the
  /// list would grow.
  private static let awaitedLimit = 32

  /// - Parameters:
  ///   - trimDecibels: added to the volume.
  ///   - duckingDecibels: added while the sound is lowered.
  init(trimDecibels: Double, duckingDecibels: Double) {
    self.trimDecibels = trimDecibels
    self.duckingDecibels = duckingDecibels
  }

  /// Sets the volume of the engine if it has changed.
  mutating func follow(_ center: NowPlayingCenter, _ engine: PlaybackEngine) {
    let attenuation = center.arbitration.attenuation
    let trace = center.trace
    defer { seenCommands = trace.count }
    let volume = center.volume
    let isAttenuationNew = attenuation != applied?.attenuation
    guard volume != applied?.volume || isAttenuationNew else { return }
    // Mute is separate from the level, so that unmuting restores the level in one fade.
    if volume.level != applied?.volume.level || isAttenuationNew {
      engine.setVolume(gain(of: Volume(level: volume.level), attenuation))
    }
    if volume.isMuted != applied?.volume.isMuted { engine.setMuted(volume.isMuted) }
    applied = (volume, attenuation)
    let commands = trace.records.filter { record in
      guard record.number > seenCommands, case .volume = record.request else { return false }
      return record.verdict == .accepted(nil)
    }
    guard !commands.isEmpty else { return }
    awaited.append((engine.lastEffect, commands.map(\.number)))
    if awaited.count > Self.awaitedLimit { awaited.removeFirst() }
  }

  /// The linear gain with which a volume must be heard.
  func gain(of volume: Volume) -> Float { gain(of: volume, applied?.attenuation ?? .none) }

  private func gain(of volume: Volume, _ attenuation: SoundAttenuation) -> Float {
    guard let decibels = volume.decibels.map({ $0 + trimDecibels }) else { return 0 }
    return switch attenuation {
    case .none: linearGain(decibels: decibels)
    case .lowered: linearGain(decibels: decibels + duckingDecibels)
    case .silent: 0
    }
  }

  /// Call this when the engine reports that an effect is heard.
  mutating func applied(
    _ effect: Effect, handedOver: MonotonicInstant, heard: MonotonicInstant,
    to center: NowPlayingCenter
  ) {
    for (_, commands) in awaited.filter({ $0.effect.isSettled(by: effect) }) {
      for number in commands { center.volumeHeard(number, at: heard, handedOver: handedOver) }
    }
    awaited.removeAll { $0.effect.isSettled(by: effect) }
  }
}
