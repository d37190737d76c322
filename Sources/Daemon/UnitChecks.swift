internal import AudioCodecs
internal import AudioEngine
internal import Files
internal import Glibc
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// What is well with the unit below Now Playing, and what is not: each with what it means and what to
/// do. What is as it should be takes one line.
struct UnitChecks {
  typealias Finding = DiagnosisReport.Finding

  /// Wrong lines of the configuration that are told one by one.
  private static let wrongLines = 5
  /// Less is not enough for a cover and a log.
  private static let leastSpace: UInt64 = 1 << 20

  private let daemon: UnitDaemon
  private let now: MonotonicInstant

  init(_ daemon: UnitDaemon, at now: MonotonicInstant) {
    self.daemon = daemon
    self.now = now
  }

  /// In the order in which one would look.
  var all: [Finding] {
    folders + music + output + volume + realTime + state + space + configuration + starts + clock
  }

  // MARK: Music

  private var folders: [Finding] {
    let folders = daemon.settings.musicFolders
    let missing = folders.filter { folder in
      var status = stat()
      return stat(FileName.cString(folder), &status) != 0
    }
    if folders.isEmpty {
      return [
        Finding(
          "folders", .bad, "no music folder is configured",
          remedy: "name one: 'music-folder = PATH' in the configuration")
      ]
    }
    if missing.count == folders.count {
      return [
        Finding(
          "folders", .bad, "\(missing.joined(separator: ", ")): not there",
          meaning: "there is nowhere to look for music",
          remedy: "plug in the stick, or make the folder, or name another: 'music-folder'")
      ]
    }
    return [
      missing.isEmpty
        ? Finding("folders", .good, folders.joined(separator: ", "))
        : Finding("folders", .note, "\(missing.joined(separator: ", ")): not there")
    ]
  }

  private var music: [Finding] {
    // What looked like music and could not be played after all counts as what could not.
    let broken = daemon.music.broken
    let count = max(0, daemon.unit.player.count - broken.count)
    let unplayable = daemon.music.unplayable + broken
    var findings: [Finding] = []
    if daemon.music.isFinding {
      findings.append(
        Finding("music", .note, "folders are being read, \(daemon.music.count) files so far"))
    } else if count == 0, let first = unplayable.first {
      findings.append(
        Finding(
          "music", .bad, "\(Self.files(unplayable.count)), and none can be played",
          meaning: "the first: \(first.path): \(first.reason)",
          remedy: "copy them anew; 'autoharp probe FILE' tells what is wrong with each"))
    } else if count == 0 {
      findings.append(
        Finding(
          "music", .bad, "the music folders have no music",
          remedy: "copy FLAC or Ogg Vorbis files into one of them"))
    } else if let first = unplayable.first {
      findings.append(
        Finding(
          "music", .note, "\(Self.files(count)), and \(unplayable.count) that cannot be played",
          meaning: "the first: \(first.path): \(first.reason)"))
    } else {
      findings.append(Finding("music", .good, Self.files(count)))
    }
    if let lost = daemon.music.lostPath {
      findings.append(
        Finding(
          "medium", .bad, "\(lost) has gone while it was needed",
          meaning: "the stick was pulled, or has failed; its place is kept",
          remedy: "plug it in again, or play something else"))
    } else if let path = daemon.music.awaitedPath {
      findings.append(
        Finding(
          "medium", .note, "\(path), which played last, is not there", meaning: "it is waited for"))
    }
    return findings
  }

  private static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

  // MARK: Sound

  private var output: [Finding] {
    let sound = daemon.sound
    var findings: [Finding] = []
    if let failure = sound.failure {
      findings.append(
        Finding(
          "output", .bad, shortened(failure.reason),
          meaning: "nothing is heard; it is tried again each second",
          remedy: failure.isAbsent
            ? "look for the card: 'autoharp --list-outputs' lists them, the key 'output' names one"
            : "end what else uses the card, or name another with the key 'output'"))
    } else if daemon.heartbeat.isStandingStill {
      findings.append(
        Finding(
          "output", .bad, "\(outputName): \(Heartbeat.words)",
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
    let dry = daemon.unit.engine.xrunCount
    if dry > 0 {
      findings.append(
        Finding(
          "ran dry", .note, "\(dry)× since the start; 'audio' tells when",
          remedy: "raise the key 'output-buffer' if it happens again"))
    }
    return findings
  }

  /// A PCM's name may carry arguments for lines.
  private var outputName: String {
    let name = daemon.sound.output
    return name.count <= 40 ? name : "\(name.prefix(39))…"
  }

  /// What a sink says begins with its name.
  private func shortened(_ reason: String) -> String {
    let name = daemon.sound.output
    return reason.hasPrefix(name) ? outputName + reason.dropFirst(name.count) : reason
  }

  private var volume: [Finding] {
    let volume = daemon.unit.center.volume
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

  private var realTime: [Finding] {
    guard let refused = daemon.sound.refused else {
      return [Finding("real time", .good, "granted")]
    }
    // On a laptop that is so; a unit's service has the right to it.
    let isService = getenv("NOTIFY_SOCKET") != nil
    return [
      Finding(
        "real time", isService ? .bad : .note, "plays with no \(refused)",
        meaning: "a busy machine may be heard",
        remedy: "grant it: LimitRTPRIO=45 and LimitMEMLOCK=infinity in the service's unit")
    ]
  }

  // MARK: State

  private var state: [Finding] {
    let (saving, folder) = (daemon.saving, daemon.settings.stateFolder)
    var findings = daemon.storage.notices.map { notice in
      Finding(
        "storage", notice.grade, notice.sentence,
        remedy: "'data check' tells what was tried; replace the medium if it happens again")
    }
    if let reason = saving.lossAtStart {
      findings.append(
        Finding(
          "state", .bad, reason, meaning: "place and volume of the last run were lost",
          remedy: "nothing, if it happens once; else the medium fails, and is to be replaced"))
    }
    if let trouble = saving.trouble {
      findings.append(
        Finding(
          "state", .bad, trouble,
          meaning: "it plays on, and forgets place and volume when power is cut",
          remedy: "make \(folder) writable and make room in it; 'storage' tells how it is mounted"))
    } else {
      findings.append(Finding("state", .good, "saved in \(folder)"))
    }
    return findings
  }

  private var space: [Finding] {
    let folder = daemon.settings.stateFolder
    var space = statvfs()
    guard statvfs(FileName.cString(folder), &space) == 0 else { return [] }
    let free = UInt64(space.f_bavail) * UInt64(space.f_frsize)
    if space.f_flag & UInt(ST_RDONLY) != 0 {
      return [
        Finding(
          "storage", .bad, "\(folder) is mounted read-only",
          meaning: "its file system was damaged, or somebody wanted it so",
          remedy: "start the machine again, which repairs it; 'data check' tells more")
      ]
    }
    guard free >= Self.leastSpace else {
      return [
        Finding(
          "storage", .bad, "\(folder) is full", meaning: "covers and logs cannot be kept",
          remedy: "delete music or logs in it")
      ]
    }
    return [Finding("storage", .good, "\(free >> 20) MiB free in \(folder)")]
  }

  // MARK: The unit

  private var configuration: [Finding] {
    let wrong = daemon.configuration.notices.filter { $0.kind == .wrong }
    guard !wrong.isEmpty else { return [Finding("config", .good, "no wrong line")] }
    let more = wrong.count - Self.wrongLines
    return wrong.prefix(Self.wrongLines).map {
      Finding("config", .bad, $0.description, remedy: "mend it, and check: autoharp config check")
    } + (more > 0 ? [Finding("config", .bad, "\(more) more lines are wrong")] : [])
  }

  private var starts: [Finding] {
    let failures = daemon.history.failuresInARow
    guard failures > 0 else { return [Finding("starts", .good, "none failed lately")] }
    let reason = daemon.history.starts.dropLast().last?.reason ?? ""
    return [
      Finding(
        "starts", .bad, "\(failures) in a row failed, the last because \(reason)",
        meaning: daemon.isCareful
          ? "it plays nothing by itself, as that may be what kills it" : nil,
        remedy: "'log' and 'boot' tell more; it is forgotten when a run lasts")
    ]
  }

  private var clock: [Finding] {
    let clock = MachineFacts.wallClock
    return [Finding("clock", clock.seconds == nil ? .note : .good, clock.words)]
  }
}
