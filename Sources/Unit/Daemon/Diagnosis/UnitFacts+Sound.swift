internal import AudioCodecs
internal import AudioEngine
internal import NowPlaying
internal import Reports
internal import SystemClock

extension UnitFacts {
  var sound: FactsReport.Section {
    let sound = snapshot.sound.history
    var facts: [FactsReport.Fact] = [.init("output", sound.card?.text ?? sound.output)]
    if let failure = sound.failure {
      facts.append(.init("device", failure.reason, .bad))
    } else if snapshot.sound.isStalled {
      facts.append(.init("device", OutputProgress.stallMessage, .bad))
    } else if let device = sound.device {
      let text =
        "\(device.sampleRate) Hz, \(device.samples), \(device.layout.name)"
        + (sound.conversion.map { "; converting \($0)" } ?? "")
      facts.append(.init("device", text, .good))
    } else {
      facts.append(.init("device", "not opened yet; nothing was played"))
    }
    let cards = snapshot.sound.cards.map(\.text)
    facts.append(.init("cards", cards.isEmpty ? "none" : cards.joined(separator: ", ")))
    let underruns = snapshot.sound.xruns
    facts.append(
      .init(
        "ran dry", underruns == 0 ? "never" : "\(underruns) times", underruns == 0 ? .good : .note))
    facts.append(
      .init(
        "real time", sound.refused.map { "no \($0)" } ?? "granted",
        sound.refused == nil ? .good : .note))
    return .init("sound", facts)
  }

  var buffers: FactsReport.Section {
    var facts: [FactsReport.Fact] = []
    if let device = snapshot.sound.history.device {
      let rate = Double(max(device.sampleRate, 1))
      func text(_ frames: Int) -> String {
        "\(frames) frames, \(Self.decimal(Double(frames) / rate * 1000)) ms"
      }
      facts.append(.init("period", text(device.periodFrames)))
      facts.append(.init("buffer", text(device.bufferFrames)))
      facts.append(.init("filled", filling(of: device, text)))
      facts.append(.init("decoded ahead", text(snapshot.sound.bufferedFrames)))
    }
    facts.append(.init("came too late", "\(snapshot.sound.starvedFrames) frames"))
    return .init("buffers", facts)
  }

  /// How the device is filled, and why.
  private func filling(of device: DeviceFormat, _ text: (Int) -> String) -> String {
    if device.rewritableFrames != nil {
      return "deep; rewritten after the next \(text(snapshot.sound.safeguardFrames))"
    }
    return switch device.periodsReason {
    case .configured: "by periods; 'output-latency' requests this"
    case .noSoundCard: "by periods; the output is not a card ('hw:')"
    case .notSupported: "by periods; the card cannot be rewritten"
    case .testFailed: "by periods; the card has failed the test of rewriting"
    case nil: "by periods"
    }
  }

  /// The kernel's parameters of each device that plays.
  var kernel: FactsReport.Section {
    let facts = snapshot.machine.pcmParameters.map { FactsReport.Fact($0.name, $0.value) }
    return .init("kernel", facts.isEmpty ? [.init("sound cards", "no card plays now")] : facts)
  }

  var underruns: FactsReport.Section {
    .init(
      "ran dry",
      snapshot.sound.history.underruns.reversed().enumerated().map { index, nanoseconds in
        let moment = MonotonicInstant.near(nanoseconds: nanoseconds)
        return .init(
          index == 0 ? "last" : "\(index + 1)", "\(Self.time(now.wholeTime(since: moment))) ago",
          .note)
      })
  }
}
