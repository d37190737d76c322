internal import HeadUnit
internal import NowPlaying
internal import Reports
internal import Settings

// The checks that compare the published state with the sound that the output plays, and with the files on the storage.
extension UnitChecks {
  /// For this time after a publication, the output can still play the sound from before the publication.
  private static let settling = Duration.seconds(3)
  /// Maximum difference between the published position and the heard position. A difference of more than a second
  /// causes a publication (P1), so a larger difference is a fault.
  private static let tolerance = Duration.seconds(2)
  /// Maximum difference between two gains, as a fraction of the larger gain. It is less than 0.1 dB.
  private static let gainTolerance: Float = 0.01

  /// The gain of the last reading of the sound. Nil unless the applied gain differs from the published gain in all
  /// readings.
  var unheardGain: SoundReading.Gain? {
    let readings = snapshot.sound.readings
    let differs = readings.allSatisfy {
      let (one, other) = ($0.gain.published, $0.gain.applied)
      return abs(one - other) > Self.gainTolerance * max(one, other)
    }
    return differs ? readings.last?.gain : nil
  }

  /// Compares the position that surfaces show with the position that is heard.
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
        remedy: "pause and play again; if the finding stays, 'service restart daemon'")
    ]
  }

  /// Compares the switch of the amplifier with what should be heard. While nothing should be heard, the output can be
  /// open or closed, so both states of the amplifier are right.
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
          remedy:
            "'service restart daemon' switches it on; if it is muted again, another program does it"
        )
      ]
    case .on, .muted:
      return [
        Finding(
          "amplifier.switch", "amplifier", .good,
          "\(name): \(reading == .on ? "on" : "muted")")
      ]
    }
  }

  /// True if something should be heard in all readings, and nothing was published in the time ``settling`` before these
  /// readings.
  private var isSoundWanted: Bool {
    let sound = snapshot.sound
    return !sound.readings.isEmpty && sound.history.failure == nil && !sound.isStalled
      && sound.readings.allSatisfy {
        $0.isWanted && $0.at.wholeTime(since: $0.publishedAt) >= Self.settling
      }
  }

  /// The two readings of the sound. Nil if the state has changed between the two readings or shortly before. Also nil
  /// if the output does not work, because a separate finding reports this.
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

  /// Checks the file of the cover that was sent to the surfaces.
  var artwork: [Finding] {
    guard let picture = snapshot.machine.picture,
      let folder = snapshot.configuration.settings.artworkFolder
    else { return [Finding("artwork.none", "artwork", .good, "no cover is shown now")] }
    if picture.isReadable {
      return [Finding("artwork.readable", "artwork", .good, picture.path)]
    }
    return [
      Finding(
        "artwork.unreadable", "artwork", .bad, "the picture \(picture.path) cannot be read",
        meaning: "surfaces cannot show the cover",
        remedy:
          "'storage free' frees space, and 'reboot' sets the rights of \(folder); then play the song again"
      )
    ]
  }

  // MARK: Storage

  /// The unit replaces a file by a new one, so it needs room for a few files.
  private static let leastFiles: UInt64 = 16

  var space: [Finding] {
    let folder = snapshot.storage.stateFolder
    guard let space = snapshot.machine.stateSpace else { return [] }
    let free = space.free
    guard snapshot.machine.isStateReadable else {
      return [
        Finding(
          "storage.unreadable", "storage", .bad, "\(folder) cannot be opened",
          meaning:
            "nothing is saved: the unit has no right to read the folder, or its medium has failed",
          remedy: !snapshot.machine.runsImage
            ? "give the user of the unit the right to read and write the folder"
            : "'reboot' sets the rights of the folder again")
      ]
    }
    if space.isReadOnly {
      return [
        Finding(
          "storage.read-only", "storage", .bad, "\(folder) is mounted read-only",
          meaning: "the file system is damaged, or was mounted read-only on purpose",
          remedy: "'reboot' repairs the file system; 'data check' shows more")
      ]
    }
    if let (device, errors) = kernelReadings.ownErrors.min(by: { $0.key < $1.key }),
      snapshot.machine.runsImage
    {
      return [
        Finding(
          "storage.errors", "storage", .bad,
          "the file system of \(device) had \(errors == 1 ? "an error" : "\(errors) errors")",
          meaning: "files of the unit can be lost or damaged",
          remedy:
            "'reboot' checks and repairs it; if it happens again, the medium of the unit fails")
      ]
    }
    guard free >= Self.leastSpace else {
      return [
        Finding(
          "storage.full", "storage", .bad, "\(folder) is full",
          meaning: "covers and logs cannot be saved",
          remedy: "'storage free' shows what fills it, and frees space")
      ]
    }
    if let files = space.freeFiles, files < Self.leastFiles {
      return [
        Finding(
          "storage.files", "storage", .bad, "\(folder) has no room for further files",
          meaning: "there are too many small files; settings, covers and logs cannot be saved",
          remedy: "'storage free' shows which folder has the files, and frees space")
      ]
    }
    return [
      Finding("storage.free", "storage", .good, "\(free >> 20) MiB free in \(folder)")
    ]
  }
}
