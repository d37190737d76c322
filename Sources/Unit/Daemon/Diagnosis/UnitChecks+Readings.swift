internal import HeadUnit
internal import NowPlaying
internal import Reports
internal import Settings

// Compares what the unit publishes with what the output plays and what the storage has.
extension UnitChecks {
  /// After a publication, the output may still play what came before.
  private static let settling = Duration.seconds(3)
  /// Maximum difference between the published position and the heard one. A difference of more than a second is
  /// published (P1).
  private static let tolerance = Duration.seconds(2)
  /// Maximum difference between two gains, as a part of the larger one. It is less than 0.1 dB.
  private static let gainTolerance: Float = 0.01

  /// The gain, if the output applies another one than the published one in both readings.
  var unheardGain: SoundReading.Gain? {
    let readings = snapshot.sound.readings
    let differs = readings.allSatisfy {
      let (one, other) = ($0.gain.published, $0.gain.applied)
      return abs(one - other) > Self.gainTolerance * max(one, other)
    }
    return differs ? readings.last?.gain : nil
  }

  /// The position that surfaces show, compared with the position that is heard.
  var position: [Finding] {
    guard let (first, second) = steadyReadings, let old = first.position, let new = second.position
    else { return [] }
    let time = second.at.awakeTime(since: first.at)
    let moved = new.heard - old.heard
    let difference = max(new.published - new.heard, new.heard - new.published)
    let found: String? =
      if difference > Self.tolerance {
        "\(UnitFacts.time(new.published)) is shown, and \(UnitFacts.time(new.heard)) is heard"
      } else if new.status == .playing, moved * 2 < time {
        "the status is 'playing', but the sound stands still"
      } else if new.status != .playing, moved * 4 > time {
        "the status is '\(new.status.rawValue)', but the sound continues"
      } else {
        nil
      }
    guard let found else {
      return [
        Finding(
          "sound.position", "position", .good, "\(UnitFacts.time(new.heard)), as surfaces show it")
      ]
    }
    return [
      Finding(
        "sound.position-differs", "position", .bad, found,
        meaning: "surfaces show another position or status than the sound has",
        remedy: "pause and play again; if the finding stays, restart the daemon")
    ]
  }

  /// The switch of the amplifier, compared with what should be heard. While nothing should be heard, the output may be
  /// open or closed, so both states are right.
  var amplifier: [Finding] {
    guard let reading = snapshot.sound.amplifier else { return [] }
    let name = snapshot.configuration.settings.amplifier ?? ""
    switch reading {
    case .unreadable(let reason):
      return [
        Finding(
          "amplifier.unreadable", "amplifier", .bad, reason,
          meaning: "the unit cannot mute the amplifier, so it may thump, or it may stay silent",
          remedy: "correct the key 'amplifier' in the configuration, or remove it")
      ]
    case .muted where isSoundWanted:
      return [
        Finding(
          "amplifier.muted", "amplifier", .bad, "\(name) is muted while the unit plays",
          meaning: "no sound; another program has muted the amplifier",
          remedy: "end the program that mutes it, then restart the daemon")
      ]
    case .on, .muted:
      return [
        Finding(
          "amplifier.switch", "amplifier", .good,
          "\(name): \(reading == .on ? "on" : "muted")")
      ]
    }
  }

  /// True if something should be heard in both readings, and since some time before them.
  private var isSoundWanted: Bool {
    let sound = snapshot.sound
    return !sound.readings.isEmpty && sound.history.failure == nil && !sound.isStalled
      && sound.readings.allSatisfy {
        $0.isWanted && $0.at.wholeTime(since: $0.publishedAt) >= Self.settling
      }
  }

  /// The two readings, if nothing has changed between them and shortly before. An output that does not work has a
  /// finding of its own.
  private var steadyReadings: (SoundReading, SoundReading)? {
    let sound = snapshot.sound
    guard sound.readings.count == 2, sound.history.failure == nil, !sound.isStalled else {
      return nil
    }
    let (first, second) = (sound.readings[0], sound.readings[1])
    guard first.revision == second.revision, first.starvedFrames == second.starvedFrames,
      first.at.wholeTime(since: first.publishedAt) >= Self.settling
    else { return nil }
    return (first, second)
  }

  /// The file of the cover that surfaces got.
  var artwork: [Finding] {
    guard let picture = snapshot.machine.picture,
      let folder = snapshot.configuration.settings.artworkFolder
    else { return [] }
    if picture.isReadable {
      return [Finding("artwork.readable", "artwork", .good, picture.path)]
    }
    return [
      Finding(
        "artwork.unreadable", "artwork", .bad, "the picture \(picture.path) cannot be read",
        meaning: "surfaces cannot show the cover",
        remedy: "make \(folder) writable, and free space in it; then play the track again")
    ]
  }
}
