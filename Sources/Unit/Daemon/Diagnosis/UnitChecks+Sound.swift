internal import AudioCodecs
internal import AudioEngine
internal import HeadUnit
internal import NowPlaying
internal import Reports
internal import Settings

extension UnitChecks {
  var output: [Finding] {
    let sound = snapshot.sound.history
    var findings: [Finding] = []
    if let failure = sound.failure, failure.isAbsent, let remedy = remedyForCard {
      findings.append(
        Finding(
          "output.card-absent", "output", .bad, failure.reason,
          meaning: "no sound; the unit uses the card as soon as it is there", remedy: remedy))
    } else if let failure = sound.failure, failure.isAbsent,
      snapshot.configuration.settings.output == Settings().output
    {
      findings.append(noCard)
    } else if let failure = sound.failure {
      findings.append(
        Finding(
          failure.isAbsent ? "output.absent" : "output.failed", "output", .bad,
          shortened(failure.reason), meaning: "no sound; the unit tries again each second",
          remedy: failure.isAbsent
            ? "remove the key 'output' (\(snapshot.configuration.originText("output"))), so that the unit takes a card that is there; "
              + "'audio' lists the cards"
            : "end the other program that uses the card, or set the key 'output' to another card"))
    } else if snapshot.sound.isStalled {
      findings.append(
        Finding(
          "output.stands-still", "output", .bad, "\(outputName): \(OutputProgress.stallMessage)",
          meaning: "no sound; the card or its driver hangs",
          remedy: "the watchdog restarts the daemon; without a watchdog, 'service restart daemon'"))
    } else if sound.device != nil, discardsSound {
      findings.append(
        Finding(
          "output.discards", "output", .note, "the sound goes to '\(outputName)', not to a card",
          meaning: "nothing is heard",
          remedy:
            "remove the key 'output' (\(snapshot.configuration.originText("output"))), on a computer"
        ))
    } else if let device = sound.device {
      findings.append(
        Finding(
          "output.open", "output", .good,
          "\(outputName): \(device.sampleRate) Hz, \(device.samples), \(device.layout.name)"))
    } else {
      findings.append(
        Finding("output.not-opened", "output", .good, "\(outputName); not opened yet"))
    }
    findings += otherRate
    if sound.losses > 0 {
      findings.append(
        Finding(
          "output.lost", "output", .note, "lost \(sound.losses)× since the start",
          meaning: "'log' shows when"))
    }
    let underruns = snapshot.sound.xruns
    if underruns > 0 {
      findings.append(
        Finding(
          "output.underruns", "ran dry", .note, "\(underruns)× since the start; 'audio' shows when",
          remedy: "if it happens again, increase the key 'output-buffer'"))
    }
    return findings
  }

  /// No setting chooses the output, and no card can be used.
  private var noCard: Finding {
    let cards = snapshot.sound.cards.map(\.text).joined(separator: ", ")
    if cards.isEmpty, snapshot.sound.history.losses > 0 {
      return Finding(
        "output.card-lost", "output", .bad, "the sound card is gone; it was there in this run",
        meaning: "no sound; the unit uses the card as soon as it is there",
        remedy: "check its plug and its supply; 'reboot' searches for it again")
    }
    return Finding(
      "output.absent", "output", .bad,
      cards.isEmpty
        ? "no sound card was found" : "no sound card can be used; the kernel has \(cards)",
      meaning: "no sound; the unit uses a card as soon as it is there",
      remedy: cards.isEmpty
        ? "plug in a USB sound card, or switch the DAC on in config.txt ('include dac.txt') and restart"
        : "plug in another sound card; 'audio' shows the cards")
  }

  /// The remedy if the card that the setting `sound` selects is absent. Nil if `sound` selects no kind of card, or if
  /// the setting `output` is not the default.
  private var remedyForCard: String? {
    let settings = snapshot.configuration.settings
    guard settings.output == Settings().output else { return nil }
    let other = "or set the key 'sound' to another card"
    return switch settings.sound {
    case .auto: nil
    case .usb: "plug in a USB sound card, \(other)"
    case .dac: "switch the DAC on in config.txt and restart ('include dac.txt'), \(other)"
    case .hdmi: "use a board with HDMI sound, \(other)"
    case .jack: "use a board with a jack, \(other)"
    }
  }

  /// The name of the output. It is shortened, because the name of a PCM can contain long arguments.
  /// True if no card plays the sound. Without the image, this is usually a test.
  private var discardsSound: Bool {
    let name = snapshot.sound.history.output
    return snapshot.machine.runsImage && (name == "null" || name.hasPrefix("wav:"))
  }

  private var outputName: String {
    let name = snapshot.sound.history.output
    return name.count <= 40 ? name : "\(name.prefix(39))…"
  }

  /// Shortens the name of the output at the beginning of a failure reason.
  private func shortened(_ reason: String) -> String {
    let name = snapshot.sound.history.output
    return reason.hasPrefix(name) ? outputName + reason.dropFirst(name.count) : reason
  }

  /// The song begins again at its end, because a person has chosen this.
  var repetition: [Finding] {
    guard snapshot.repeatsOne else { return [] }
    return [
      Finding(
        "sound.repeats-one", "repeat", .note, "the same song is repeated", remedy: "repeat off")
    ]
  }

  var volume: [Finding] {
    let volume = snapshot.sound.volume
    if let gain = unheardGain {
      return [
        Finding(
          "volume.unheard", "volume", .bad,
          "the output applies the gain \(gain.applied) instead of \(gain.published)",
          meaning: "the sound is louder or quieter than surfaces show",
          remedy: "set the volume again; if the finding stays, 'service restart daemon'")
      ]
    }
    if volume.isMuted {
      return [
        Finding(
          "volume.muted", "volume", .bad, "muted", meaning: "no sound", remedy: "mute off")
      ]
    }
    if volume.level.thousandths == 0 {
      return [
        Finding(
          "volume.zero", "volume", .bad, "\(volume.level)", meaning: "no sound",
          remedy: "volume 30")
      ]
    }
    if volume.level.thousandths <= Self.quietThousandths {
      return [
        Finding(
          "volume.low", "volume", .note, "\(volume.level)", meaning: "the sound is hardly heard",
          remedy: "volume 30")
      ]
    }
    return [Finding("volume.level", "volume", .good, "\(volume.level)")]
  }

  /// A volume of at most 3 % is hardly heard in a car.
  private static let quietThousandths = 30

  /// The holds of clients, which a person could take for a fault.
  var holds: [Finding] {
    snapshot.sound.holds.map { active in
      let (name, left) = (active.hold.name, active.leftText.map { ", \($0)" } ?? "")
      return active.hold.isDuck
        ? Finding(
          "sound.lowered", "sound", .note, "lowered because of '\(name)'\(left)",
          remedy: "'duck end \(name)' ends it")
        : Finding(
          "sound.interrupted", "sound", .note, "silent because of '\(name)'\(left)",
          remedy: "'interrupt end \(name)' ends it")
    }
  }

  /// A card that does not support the rate that the setting asks for plays another rate.
  private var otherRate: [Finding] {
    guard let asked = snapshot.configuration.settings.outputRate,
      let rate = snapshot.sound.history.device?.sampleRate, rate != asked
    else { return [] }
    return [
      Finding(
        "output.other-rate", "output", .note,
        "the key 'output-rate' asks for \(asked) Hz, and the card plays \(rate) Hz",
        remedy: "set the key 'output-rate' to \(rate), or remove it")
    ]
  }

  var realTime: [Finding] {
    guard let refused = snapshot.sound.history.refused else {
      return [Finding("real-time.granted", "real time", .good, "granted")]
    }
    // On a laptop the kernel normally refuses the real-time properties. The service of a unit has the right to use
    // them.
    let isService = snapshot.machine.isService
    return [
      Finding(
        "real-time.refused", "real time", isService ? .bad : .note,
        "the output plays without \(refused)",
        meaning: "the sound may stop for moments when the machine is busy",
        remedy: "grant real time: LimitRTPRIO=45 and LimitMEMLOCK=infinity in the service's unit")
    ]
  }
}
