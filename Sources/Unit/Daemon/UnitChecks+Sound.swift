internal import AudioCodecs
internal import AudioEngine
internal import NowPlaying
internal import Reports

extension UnitChecks {
  var output: [Finding] {
    let sound = snapshot.sound.seen
    var findings: [Finding] = []
    if let failure = sound.failure {
      findings.append(
        Finding(
          "output", .bad, shortened(failure.reason),
          meaning: "nothing is heard; it is tried again each second",
          remedy: failure.isAbsent
            ? "look for the card: 'autoharp --list-outputs' lists them, the key 'output' names one"
            : "end what else uses the card, or name another with the key 'output'"))
    } else if snapshot.sound.isStandingStill {
      findings.append(
        Finding(
          "output", .bad, "\(outputName): \(OutputProgress.words)",
          meaning: "the card or its driver hangs, and nothing is heard",
          remedy: "the watchdog ends the daemon, if there is one; else start it again"))
    } else if let device = sound.device {
      findings.append(
        Finding(
          "output", .good,
          "\(outputName): \(device.sampleRate) Hz, \(device.samples), \(device.layout.name)"))
    } else {
      findings.append(Finding("output", .good, "\(outputName); not opened yet"))
    }
    if sound.losses > 0 {
      findings.append(
        Finding(
          "output", .note, "it was lost \(sound.losses)× since the start", meaning: "see 'log'"))
    }
    let dry = snapshot.sound.xruns
    if dry > 0 {
      findings.append(
        Finding(
          "ran dry", .note, "\(dry)× since the start; 'audio' tells when",
          remedy: "raise the key 'output-buffer' if it happens again"))
    }
    return findings
  }

  /// The name of a PCM may have long arguments, so it is shortened.
  private var outputName: String {
    let name = snapshot.sound.seen.output
    return name.count <= 40 ? name : "\(name.prefix(39))…"
  }

  /// The reason of a sink begins with the name of the output, which is shortened here.
  private func shortened(_ reason: String) -> String {
    let name = snapshot.sound.seen.output
    return reason.hasPrefix(name) ? outputName + reason.dropFirst(name.count) : reason
  }

  var volume: [Finding] {
    let volume = snapshot.sound.volume
    if volume.isMuted {
      return [Finding("volume", .bad, "muted", meaning: "nothing is heard", remedy: "mute off")]
    }
    if volume.level.thousandths == 0 {
      return [
        Finding("volume", .bad, "\(volume.level)", meaning: "nothing is heard", remedy: "volume 30")
      ]
    }
    return [Finding("volume", .good, "\(volume.level)")]
  }

  var realTime: [Finding] {
    guard let refused = snapshot.sound.seen.refused else {
      return [Finding("real time", .good, "granted")]
    }
    // Normal on a laptop. The service of a unit has the right to it.
    let isService = snapshot.machine.isService
    return [
      Finding(
        "real time", isService ? .bad : .note, "plays with no \(refused)",
        meaning: "a busy machine may be heard",
        remedy: "grant it: LimitRTPRIO=45 and LimitMEMLOCK=infinity in the service's unit")
    ]
  }
}
