internal import AudioCodecs
internal import AudioEngine
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// Formats a snapshot of the unit as text.
struct UnitFacts {
  let snapshot: UnitSnapshot

  init(_ snapshot: UnitSnapshot) { self.snapshot = snapshot }

  var now: MonotonicInstant { snapshot.now }

  // MARK: The unit

  /// The first section of `status`: one row for each subject.
  var unit: FactsReport.Section {
    let run = snapshot.run
    let failures = run.history.failuresInARow
    let memory = snapshot.machine.memory.map { ", \($0 >> 10) MiB of memory" } ?? ""
    let surfaces = snapshot.surfaces
    return .init(
      "unit",
      [
        // The daemon can be younger than the machine, for example after a restart by the watchdog.
        .init(
          "runs for",
          "daemon: \(Self.time(now.wholeTime(since: run.began)))\(memory); "
            + "machine: \(Self.time(now.sinceOrigin))"),
        .init(
          "starts",
          failures == 0
            ? "no recent failure"
            : "\(failures) failed in a row; \(run.isSafeMode ? "safe mode; " : "")see 'boot'",
          failures == 0 ? .good : .bad),
        .init("surfaces", surfaces.isEmpty ? "none" : surfaces.joined(separator: ", ")),
        .init("clock", snapshot.clockText),
      ] + board)
  }

  var version: [FactsReport.Section] {
    let own: [FactsReport.Fact] =
      snapshot.run.parts.map { .init($0.name, $0.version) } + [
        .init("kernel", snapshot.machine.kernel),
        .init("system", snapshot.machine.system ?? "unknown"),
      ]
    let image = snapshot.machine.image
    if image.image.isEmpty {
      return [
        .init("version", own + [.init("image", "none; this system does not run from an image")])
      ]
    }
    func facts(_ lines: [ImageVersions.Line]) -> [FactsReport.Fact] {
      lines.map { .init($0.name, $0.version) }
    }
    return [.init("version", own + facts(image.image)), .init("packages", facts(image.packages))]
  }

  /// The version of the image's bluetoothd, with the hash of its patches. Shown in `status`.
  var bluetoothd: [FactsReport.Fact] {
    snapshot.machine.image.version(of: "bluez").map { [.init("bluetoothd", $0)] } ?? []
  }

  // MARK: Start

  var boot: FactsReport.Section {
    func since(_ moment: MonotonicInstant?) -> String {
      moment.map { "\(Self.decimal($0.sinceOrigin.inSeconds)) s after the kernel" } ?? "not yet"
    }
    return .init(
      "boot",
      [
        .init("daemon started", since(snapshot.run.began)),
        .init("ready", since(snapshot.run.readyAt)),
        .init("first sound", since(snapshot.sound.history.firstSound)),
        .init("wall clock", snapshot.clockText),
      ])
  }

  var starts: FactsReport.Section {
    let starts = snapshot.run.history.starts
    var facts = starts.reversed().enumerated().map { index, start in
      let how =
        switch start.progress {
        case .began: index == 0 ? "runs" : "failed early"
        case .steady: index == 0 ? "runs steadily" : "ran"
        case .stopped: "stopped"
        case .interrupted: "ran shortly"
        }
      let why = start.reason.isEmpty ? "" : ": \(start.reason)"
      let isBad = index > 0 && start.progress == .began
      return FactsReport.Fact("start \(start.number)", how + why, isBad ? .bad : .plain)
    }
    if let last = starts.dropLast().last, last.progress != .stopped {
      facts.append(.init(FactsReport.lastEndLabel, last.reason.isEmpty ? "unknown" : last.reason))
    }
    return .init("starts", facts)
  }

  // MARK: Configuration

  var configuration: FactsReport.Section {
    .init(
      "configuration",
      snapshot.configuration.rows.map { name, values, origin in
        let value = values.isEmpty ? "-" : values.joined(separator: ", ")
        let originText = snapshot.configuration.originText(name)
        return .init(name, origin == .standard ? value : "\(value)  (\(originText))")
      })
  }

  var configurationNotices: FactsReport.Section {
    .init(
      "notices",
      snapshot.configuration.notices.enumerated().map {
        .init("\($0 + 1)", $1.description, $1.kind == .remark ? .plain : .bad)
      })
  }

  // MARK: Words

  static func decimal(_ value: Double) -> String {
    let tenths = Int((min(max(value, -1e9), 1e9) * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  static func time(_ duration: Duration) -> String {
    let whole = duration.components.seconds
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  private static func megabytes(_ bytes: UInt64) -> String { "\(bytes >> 20) MiB" }
}

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

  /// Describes how the buffer of the sound device is filled, and why.
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

  /// The kernel's parameters of each sound device that plays.
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

// Music and state.
extension UnitFacts {
  var music: FactsReport.Section {
    var facts: [FactsReport.Fact] = snapshot.machine.folders.map {
      switch $0.state {
      case .present: volume($0.path) ?? .init($0.path, "present", .good)
      case .missing: .init($0.path, "missing", .note)
      case .silent: .init($0.path, "does not answer", .bad)
      case .unreadable: .init($0.path, "cannot be opened", .bad)
      }
    }
    facts += volumes + files + cutTags
    return .init("music", facts)
  }

  /// The rows about the music files. There is only one row if there is no problem.
  private var files: [FactsReport.Fact] {
    var facts: [FactsReport.Fact] = []
    let music = snapshot.music
    let count = music.count
    if music.isSearching {
      facts.append(.init("files", "\(count) so far; folders are being read", .note))
    } else {
      facts.append(.init("files", "\(count)", count == 0 ? .bad : .good))
    }
    if let lost = music.lostPath { facts.append(.init("gone", lost, .bad)) }
    let unplayable = music.unplayable.count
    if unplayable > 0 {
      // A line of 80 characters has no room for both the formats and `see 'log'`.
      let why = music.volumes.total.summary.map { ": \($0)" } ?? "; see 'log'"
      facts.append(.init("cannot be played", "\(unplayable)\(why)", .note))
    }
    return facts
  }

  /// One row per stick.
  private var volumes: [FactsReport.Fact] {
    let folders = snapshot.machine.folders.map(\.path)
    return snapshot.music.volumes.found.map(\.volume.path).filter { !folders.contains($0) }
      .compactMap(volume)
  }

  /// The row with the numbers of files on a volume. Nil for a music folder whose files can all be played.
  private func volume(_ path: String) -> FactsReport.Fact? {
    guard
      let (volume, count) = snapshot.music.volumes.found.first(where: { $0.volume.path == path }),
      volume.isStick || count.unplayable > 0
    else { return nil }
    let name = volume.path.hasSuffix("/\(volume.name)") ? "" : "\(volume.name): "
    let playable = "\(name)\(MusicVolumes.files(count.playable))"
    guard count.unplayable > 0 else {
      return .init(path, playable, count.playable == 0 ? .bad : .good)
    }
    return .init(
      path, "\(playable); \(count.unplayable) cannot be played: \(count.details)",
      count.playable == 0 ? .bad : .note)
  }

  private var cutTags: [FactsReport.Fact] {
    let count = snapshot.music.cutTagValues
    return count == 0 ? [] : [.init("long tags", "\(count) were shortened or left out", .note)]
  }

  /// The section about music and state in `status`.
  var summary: FactsReport.Section {
    .init("music and state", files + [saved] + storage)
  }

  /// One row per notice. There is no row if the storage has no fault.
  private var storage: [FactsReport.Fact] {
    FactsReport.numbered(
      snapshot.storage.notices.map {
        .init($0.subject, $0.sentence, $0.grade)
      })
  }

  private var saved: FactsReport.Fact {
    if snapshot.storage.notices.contains(where: \.keepsNothing) {
      return .init("saved", "only in memory; see 'diagnose'", .bad)
    }
    let isSaving = snapshot.storage.saving.failure == nil
    return .init(
      "saved", isSaving ? "in \(snapshot.storage.stateFolder)" : "no; see 'diagnose'",
      isSaving ? .good : .bad)
  }

  var state: FactsReport.Section { .init("state", [saved] + storage) }

  var fileSystems: [FactsReport.Section] {
    [
      .init(
        "file systems",
        snapshot.machine.fileSystems.map { system in
          guard let space = system.space else {
            return .init(system.point, "\(system.kind), does not answer", .bad)
          }
          let (free, size) = (Self.megabytes(space.free), Self.megabytes(space.size))
          return .init(system.point, "\(system.kind), \(free) of \(size) free")
        })
    ]
  }
}
