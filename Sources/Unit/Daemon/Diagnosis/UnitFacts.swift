internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// Formats a snapshot as text.
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
        .init("runs for", "\(Self.time(now.wholeTime(since: run.began)))\(memory)"),
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

  static func megabytes(_ bytes: UInt64) -> String { "\(bytes >> 20) MiB" }
}
