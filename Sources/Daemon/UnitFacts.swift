internal import AudioCodecs
internal import AudioEngine
internal import EventLoop
internal import Files
internal import Glibc
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// What the daemon knows of itself and its machine, in words. Reads small files of the kernel's,
/// which answer at once.
struct UnitFacts {
  private let daemon: UnitDaemon
  private let now: MonotonicInstant

  init(_ daemon: UnitDaemon, at now: MonotonicInstant) {
    self.daemon = daemon
    self.now = now
  }

  // MARK: The unit

  /// What stands on the one screen of `status`: a row each for what is well.
  var unit: FactsReport.Section {
    let failures = daemon.history.failuresInARow
    let memory = MachineFacts.status("VmRSS").map { ", \(Self.kibibytes($0))" } ?? ""
    let surfaces = daemon.unit.center.inspection(at: now).surfaces.map(\.id.rawValue)
    return .init(
      "unit",
      [
        .init("runs for", "\(Self.time(now.wholeTime(since: daemon.began)))\(memory)"),
        .init(
          "starts",
          failures == 0 ? "none failed lately" : "\(failures) failed in a row; see 'boot'",
          failures == 0 ? .good : .bad),
        .init("surfaces", surfaces.isEmpty ? "none" : surfaces.joined(separator: ", ")),
        .init("clock", MachineFacts.wallClock.words),
      ])
  }

  var version: [FactsReport.Section] {
    let own: [FactsReport.Fact] =
      daemon.parts.map { .init($0.name, $0.version) } + [
        .init("kernel", MachineFacts.kernel),
        .init("system", MachineFacts.operatingSystem ?? "unknown"),
      ]
    let image = ImageVersions.standard
    if image.image.isEmpty {
      return [.init("version", own + [.init("image", "none: not from an image")])]
    }
    func facts(_ lines: [ImageVersions.Line]) -> [FactsReport.Fact] {
      lines.map { .init($0.name, $0.version) }
    }
    return [.init("version", own + facts(image.image)), .init("packages", facts(image.packages))]
  }

  /// For `status`: the version of the image's bluetoothd, with the hash of its patches.
  static func bluetoothd(in image: ImageVersions) -> [FactsReport.Fact] {
    image.version(of: "bluez").map { [.init("bluetoothd", $0)] } ?? []
  }

  // MARK: Sound

  var sound: FactsReport.Section {
    let sound = daemon.sound
    var facts: [FactsReport.Fact] = [.init("output", sound.output)]
    if let failure = sound.failure {
      facts.append(.init("device", failure.reason, .bad))
    } else if daemon.heartbeat.isStandingStill {
      facts.append(.init("device", Heartbeat.words, .bad))
    } else if let device = sound.device {
      let words =
        "\(device.sampleRate) Hz, \(device.samples), \(device.layout.name)"
        + (sound.conversion.map { "; converting \($0)" } ?? "")
      facts.append(.init("device", words, .good))
    } else {
      facts.append(.init("device", "not opened yet: nothing was played"))
    }
    let dry = daemon.unit.engine.xrunCount
    facts.append(.init("ran dry", dry == 0 ? "never" : "\(dry) times", dry == 0 ? .good : .note))
    facts.append(
      .init(
        "real time", sound.refused.map { "no \($0)" } ?? "granted",
        sound.refused == nil ? .good : .note))
    return .init("sound", facts)
  }

  var buffers: FactsReport.Section {
    var facts: [FactsReport.Fact] = []
    if let device = daemon.sound.device {
      let rate = Double(max(device.sampleRate, 1))
      func text(_ frames: Int) -> String {
        "\(frames) frames, \(Self.decimal(Double(frames) / rate * 1000)) ms"
      }
      facts.append(.init("period", text(device.periodFrames)))
      facts.append(.init("buffer", text(device.bufferFrames)))
      let fill = daemon.unit.engine.bufferedFrames
      facts.append(.init("decoded ahead", text(fill)))
    }
    facts.append(.init("came too late", "\(daemon.unit.engine.starvedFrameCount) frames"))
    return .init("buffers", facts)
  }

  /// As the kernel has it, of every device that plays.
  var kernel: FactsReport.Section {
    var facts: [FactsReport.Fact] = []
    for card in 0..<8 {
      for device in 0..<8 {
        let folder = "/proc/asound/card\(card)/pcm\(device)p/sub0"
        guard let text = MachineFacts.read("\(folder)/hw_params", limit: 4096), text != "closed\n"
        else {
          continue
        }
        let lines = text.split(separator: "\n").map { line in
          line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
        }
        for pair in lines where pair.count == 2 {
          facts.append(.init("hw:\(card),\(device) \(pair[0])", String(pair[1])))
        }
      }
    }
    if facts.isEmpty { facts = [.init("sound cards", "none plays now")] }
    return .init("kernel", facts)
  }

  var dry: FactsReport.Section {
    .init(
      "ran dry",
      daemon.sound.dry.reversed().enumerated().map { place, nanoseconds in
        let moment = MonotonicInstant.near(nanoseconds: nanoseconds)
        return .init(
          place == 0 ? "last" : "\(place + 1)", "\(Self.time(now.wholeTime(since: moment))) ago",
          .note)
      })
  }

  // MARK: Music and state

  var music: FactsReport.Section {
    var facts: [FactsReport.Fact] = []
    for folder in daemon.settings.musicFolders {
      var status = stat()
      let isThere = stat(FileName.cString(folder), &status) == 0
      facts.append(.init(folder, isThere ? "there" : "missing", isThere ? .good : .note))
    }
    facts += files
    return .init("music", facts)
  }

  /// The music in one row, where nothing is to be said.
  private var files: [FactsReport.Fact] {
    var facts: [FactsReport.Fact] = []
    let count = daemon.unit.player.count
    if daemon.music.isFinding {
      facts.append(.init("files", "\(count) so far; folders are being read", .note))
    } else {
      facts.append(.init("files", "\(count)", count == 0 ? .bad : .good))
    }
    if let lost = daemon.music.lostPath { facts.append(.init("gone", lost, .bad)) }
    let unplayable = daemon.music.unplayable.count
    if unplayable > 0 {
      facts.append(.init("cannot be played", "\(unplayable); see 'log'", .note))
    }
    return facts
  }

  /// For `status`.
  var summary: FactsReport.Section {
    .init("music and state", files + [saved] + storage)
  }

  /// A row for each thing that is to be said; none where the storage is as it should be.
  private var storage: [FactsReport.Fact] {
    FactsReport.numbered(
      daemon.storage.notices.map { .init("storage", $0.sentence, $0.grade) })
  }

  private var saved: FactsReport.Fact {
    let isSaving = daemon.saving.trouble == nil
    return .init(
      "saved", isSaving ? "in \(daemon.settings.stateFolder)" : "not; see 'diagnose'",
      isSaving ? .good : .bad)
  }

  var state: FactsReport.Section { .init("state", [saved] + storage) }

  var fileSystems: [FactsReport.Section] {
    let folders = [daemon.settings.stateFolder] + daemon.settings.musicFolders
    let mounts = MachineFacts.mounts.filter { mount in
      mount.point == "/"
        || folders.contains { $0 == mount.point || mount.point.hasPrefix("\($0)/") }
    }
    return [
      .init(
        "file systems",
        mounts.map { mount in
          var space = statvfs()
          guard statvfs(FileName.cString(mount.point), &space) == 0 else {
            return .init(mount.point, mount.kind, .bad)
          }
          let unit = UInt64(space.f_frsize)
          let free = Self.megabytes(UInt64(space.f_bavail) * unit)
          let all = Self.megabytes(UInt64(space.f_blocks) * unit)
          return .init(mount.point, "\(mount.kind), \(free) of \(all) free")
        })
    ]
  }

  // MARK: Start

  var boot: FactsReport.Section {
    func since(_ moment: MonotonicInstant?) -> String {
      moment.map { "\(Self.decimal(Self.seconds($0.sinceOrigin))) s after the kernel" } ?? "not yet"
    }
    return .init(
      "boot",
      [
        .init("daemon started", since(daemon.began)), .init("ready", since(daemon.readyAt)),
        .init("first sound", since(daemon.sound.firstSound)),
        .init("wall clock", MachineFacts.wallClock.words),
      ])
  }

  var starts: FactsReport.Section {
    let starts = daemon.history.starts
    var facts = starts.reversed().enumerated().map { place, start in
      let how =
        switch start.progress {
        case .began: place == 0 ? "runs" : "failed soon"
        case .steady: place == 0 ? "runs steadily" : "ran"
        case .stopped: "was asked to stop"
        }
      let why = start.reason.isEmpty ? "" : ": \(start.reason)"
      let isBad = place > 0 && start.progress == .began
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
      daemon.configuration.rows.map { name, values, origin in
        let value = values.isEmpty ? "-" : values.joined(separator: ", ")
        return .init(name, origin == .standard ? value : "\(value)  (\(origin))")
      })
  }

  var configurationNotices: FactsReport.Section {
    .init(
      "notices",
      daemon.configuration.notices.enumerated().map {
        .init("\($0 + 1)", $1.description, .bad)
      })
  }

  // MARK: Words

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  private static func decimal(_ value: Double) -> String {
    let tenths = Int((min(max(value, -1e9), 1e9) * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  static func time(_ duration: Duration) -> String {
    let whole = duration.components.seconds
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  /// `VmRSS` counts in these.
  private static func kibibytes(_ text: String) -> String {
    let number = text.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
    return "\(number >> 10) MiB of memory"
  }

  private static func megabytes(_ bytes: UInt64) -> String { "\(bytes >> 20) MiB" }
}
