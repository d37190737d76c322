internal import AudioCodecs
internal import Input
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// Checks all parts of the unit except Now Playing. A finding contains the observation, its meaning, and the remedy. A
/// finding that reports no fault has only one line.
struct UnitChecks {
  typealias Finding = DiagnosisReport.Finding

  /// Maximum number of wrong configuration lines that are reported one by one.
  private static let wrongLines = 5
  /// Minimum free space in bytes. With less space, a cover or a log could not be written.
  static let leastSpace: UInt64 = 1 << 20

  let snapshot: UnitSnapshot

  init(_ snapshot: UnitSnapshot) { self.snapshot = snapshot }

  /// All findings, in the order in which an engineer would check the parts.
  var all: [Finding] {
    memory + board + kernel + units + starts + state + space + bootPartition + configuration + clock
      + card + output + holds + repetition + volume + amplifier + position + realTime
      + sticks + folders + music + library + artwork + screen + touch + keys + controller
  }

  // MARK: Music

  private var folders: [Finding] {
    let folders = snapshot.machine.folders.map(\.path)
    let missing = snapshot.machine.folders.filter { $0.state == .missing }.map(\.path)
    let silent = snapshot.machine.folders.filter { $0.state == .silent }.map(\.path)
    if folders.isEmpty {
      return [
        Finding(
          "folders.none", "folders", .bad, "no music folder is configured",
          remedy: "set one: 'music-folder = PATH' in the configuration")
      ]
    }
    if !silent.isEmpty {
      return [
        Finding(
          "folders.silent", "folders", .bad, "no answer from \(silent.joined(separator: ", "))",
          meaning: "the medium is slow or has failed",
          remedy: "remove the stick and insert it again, or use another one")
      ]
    }
    let closed = snapshot.machine.folders.filter { $0.state == .unreadable }.map(\.path)
    if !closed.isEmpty { return [unreadable(closed)] }
    if missing.count == folders.count {
      return [
        Finding(
          "folders.all-missing", "folders", .bad,
          "not present: \(missing.joined(separator: ", "))",
          meaning: "no music can be found",
          remedy: "insert the stick, create the folder, or set another one with 'music-folder'")
      ]
    }
    return [
      missing.isEmpty
        ? Finding("folders.present", "folders", .good, folders.joined(separator: ", "))
        : Finding(
          "folders.some-missing", "folders", .note,
          "not present: \(missing.joined(separator: ", "))")
    ]
  }

  private var music: [Finding] {
    // Files that looked like music but failed during playback count as unplayable.
    let music = snapshot.music
    let count = max(0, music.count - music.broken.count)
    var unplayable = music.unplayable
    unplayable.add(music.broken)
    let formats = music.volumes.total.summary.map { ": \($0)" } ?? ""
    var findings: [Finding] = []
    if music.isSearching {
      findings.append(
        Finding(
          "music.reading", "music", .note,
          "folders are being read, \(music.examinedCount) files so far"))
    } else if count == 0, let first = unplayable.first {
      findings.append(
        Finding(
          "music.none-playable", "music", .bad,
          "\(MusicVolumes.files(unplayable.count)), and none can be played\(formats)",
          meaning: "the first: \(first.path): \(first.reason)",
          remedy: Self.remedy(music.volumes.total.formats)))
    } else if count == 0 {
      findings.append(
        Finding(
          "music.none", "music", .note, "the music folders have no music",
          remedy: "copy MP3, FLAC, Ogg Vorbis, Opus, WAV or AIFF files into one of them"))
    } else if let first = unplayable.first {
      findings.append(
        Finding(
          "music.some-unplayable", "music", .note,
          "\(MusicVolumes.files(count)), and \(unplayable.count) that cannot be played\(formats)",
          meaning: "the first: \(first.path): \(first.reason)"))
    } else {
      findings.append(Finding("music.present", "music", .good, MusicVolumes.files(count)))
    }
    if let damage {
      findings.append(damage)
    }
    if let lost = music.lostPath {
      findings.append(
        Finding(
          "medium.removed", "medium", .bad, "\(lost) is gone during playback",
          meaning: "the stick was removed or has failed; the position is kept",
          remedy: "insert the stick again, or play other music"))
    } else if let path = music.awaitedPath {
      findings.append(
        Finding(
          "medium.awaited", "medium", .note, "\(path), which played last, is not present",
          meaning: "playback continues when its medium is inserted"))
    }
    return findings + medium
  }

  /// The remedy if no file on the unit can be played.
  private static func remedy(_ formats: [ForeignFormat]) -> String {
    if formats.isEmpty {
      return "copy the files again; 'autoharp probe FILE' shows what is wrong with a file"
    }
    return formats == [.protected]
      ? "only the programs of the seller play protected files; copy files without protection"
      : "convert the files to MP3, FLAC or Opus, and copy them again"
  }

  // MARK: State

  private var state: [Finding] {
    let (saving, folder) = (snapshot.storage.saving, snapshot.storage.stateFolder)
    var findings = snapshot.storage.notices.map { notice in
      Finding(
        notice.identifier, notice.subject, notice.grade, notice.sentence,
        remedy: notice.remedy)
    }
    findings += snapshot.storage.losses.compactMap(Self.loss)
    if let failure = saving.failure {
      findings.append(
        Finding(
          "state.not-saving", "state", .bad, failure,
          meaning: "music plays; position and volume are lost when power is cut",
          remedy:
            "'storage free' frees space, and 'reboot' sets the rights of \(folder); 'storage' shows its mount"
        ))
    } else if let notice = snapshot.storage.notices.first(where: \.keepsNothing) {
      findings.append(
        Finding(
          "state.in-memory", "state", .note, "kept in memory: \(notice.sentence)",
          meaning: "settings, position and volume are lost when power is cut"))
    } else {
      findings.append(Finding("state.saved", "state", .good, "saved in \(folder)"))
    }
    return findings
  }

  /// What was lost, and what it meant for the driver.
  private static func loss(_ loss: (event: LogEvent, text: String)) -> Finding? {
    let (code, subject, meaning): (String, String, String)
    switch loss.event {
    case .stateUnavailable, .stateUnusable, .stateDamaged:
      (code, subject, meaning) = (
        "state.lost", "state", "position and volume of the last run are lost"
      )
    case .stateRepaired:
      (code, subject, meaning) = (
        "state.repaired", "state", "parts of the last run's state are lost"
      )
    case .queueUnusable:
      (code, subject, meaning) = ("queue.lost", "queue", "the queue of the last run is lost")
    case .queueRepaired:
      (code, subject, meaning) = ("queue.repaired", "queue", "some songs of the queue are lost")
    case .positionsUnusable:
      (code, subject, meaning) = (
        "positions.lost", "recent lists", "the lists that were left, and their places, are lost"
      )
    case .positionsRepaired:
      (code, subject, meaning) = (
        "positions.repaired", "recent lists", "some of the lists that were left are lost"
      )
    case .playlistDamaged:
      (code, subject, meaning) = (
        "playlists.damaged", "playlists", "some songs of a list of the unit are lost"
      )
    case .settingsDamaged:
      return Finding(
        "settings.damaged", "settings", .bad, loss.text,
        meaning: "some settings of the driver are lost",
        remedy: "'config repair' moves the file away; then set the settings again")
    default: return nil
    }
    return Finding(
      code, subject, .bad, loss.text, meaning: meaning,
      remedy: "if it happens again, replace the medium; 'log' shows more")
  }

  // MARK: The unit

  private var configuration: [Finding] {
    let wrong = snapshot.configuration.notices.filter { $0.kind == .wrong }
    guard !wrong.isEmpty else { return [Finding("config.good", "config", .good, "no wrong line")] }
    let more = wrong.count - Self.wrongLines
    return wrong.prefix(Self.wrongLines).map {
      Finding(
        "config.wrong", "config", .bad, $0.description,
        remedy: Self.remedy($0))
    }
      + (more > 0
        ? [Finding("config.more-wrong", "config", .bad, "\(more) more lines are wrong")] : [])
  }

  private static func remedy(_ notice: SettingsNotice) -> String {
    // The files in this folder are copies from the boot partition, made at each start of the machine.
    notice.file.hasPrefix("/run/boot/")
      ? "correct the line in the file of the boot partition, on a computer"
      : "correct the line in a root shell or on a computer, then 'service restart daemon'"
  }

  private var starts: [Finding] {
    let failures = snapshot.run.history.failuresInARow
    guard failures > 0 else { return ends }
    let reason = snapshot.run.history.starts.dropLast().last?.reason ?? ""
    return [
      Finding(
        "starts.failed", "starts", .bad, "\(failures) in a row failed, the last: \(reason)",
        meaning: snapshot.run.isSafeMode
          ? "the unit is in safe mode: nothing plays by itself, and the library, the playlists and the saved "
            + "queue do not start, because they may be the cause" : nil,
        remedy: snapshot.run.isSafeMode
          ? "pull out the sticks that are new, then 'boot retry'; 'log' and 'boot' show more"
          : "'log' and 'boot' show more; a long run clears this message")
    ]
  }

  /// The ends of earlier runs that were not failed starts.
  private var ends: [Finding] {
    let history = snapshot.run.history
    let ends = history.endsInThisBoot
    if let last = ends.first {
      let ago = UnitFacts.time(snapshot.now.wholeTime(since: snapshot.run.began))
      return [
        Finding(
          "ends.crashed", "last end", .bad,
          "the daemon \(last)\(ends.count > 1 ? ", \(ends.count) times" : ""), at last \(ago) ago",
          meaning: "the music was interrupted",
          remedy: "'log --previous' shows its last lines; 'reboot' clears this message")
      ]
    }
    let cuts = history.earlyPowerCuts
    if cuts > 1 {
      return [
        Finding(
          "ends.early-power-cuts", "last end", .note,
          "the power was cut \(cuts) times in a row, soon after the start",
          remedy: "if the driver did not switch it off, check the supply and its plugs")
      ]
    }
    let reason = history.starts.dropLast().last.map { $0.reason.isEmpty ? "stopped" : $0.reason }
    return [Finding("ends.good", "last end", .good, reason ?? "this is the first start")]
  }

  private var clock: [Finding] {
    let text = snapshot.clockText
    if snapshot.machine.clock.seconds == nil, let chip = snapshot.machine.kernelReadings.chipSeconds
    {
      func date(_ seconds: Int) -> Substring {
        ClockZone.utc.localTime(at: min(max(0, seconds), LocalTime.latestSeconds)).minutes
          .prefix { $0 != " " }
      }
      let unit = snapshot.machine.clock.unitSeconds
      return [
        Finding(
          "clock.chip-wrong", "clock", .bad,
          "the time is not known: the clock chip says \(date(chip)), and the unit \(date(unit))",
          meaning: "one of them is wrong; the battery of the clock chip may be empty",
          remedy: "'clock set TIME' sets both")
      ]
    }
    return [
      snapshot.machine.clock.seconds == nil
        ? Finding("clock.unknown", "clock", .note, text, remedy: "'clock set TIME' sets it")
        : Finding("clock.known", "clock", .good, text)
    ]
  }
}

// The checks of the library process. A unit without a library has no findings.
extension UnitChecks {
  var library: [Finding] {
    guard let library = snapshot.library else {
      return [Finding("library.none", "library", .good, "this unit runs without a library")]
    }
    let meaning = "lists and searches fail; music plays"
    var findings: [Finding] = []
    let endings = library.endings(at: snapshot.now)
    if endings > LibraryHealth.maximumEndings {
      let file = library.files.last?.path
      findings.append(
        Finding(
          "library.restarts", "library", .bad,
          "the library has ended \(endings) times in ten minutes"
            + (file.map { ", at last while it read \($0)" } ?? ""),
          meaning: meaning,
          remedy: file == nil
            ? "remove the stick that was inserted last; 'log' shows more"
            : "delete this file, or copy it again"))
    } else if !library.isAvailable {
      findings.append(
        Finding(
          "library.unavailable", "library", isStarting ? .note : .bad,
          "the library does not answer", meaning: meaning,
          remedy: isStarting ? nil : "restart the unit; 'log' shows more"))
    }
    let faults = library.faults(at: snapshot.now)
    if faults > 0 {
      findings.append(
        Finding(
          "library.wrong", "library", .bad,
          "\(faults) answers of the library were wrong in ten minutes",
          meaning: "a file may have taken the library over; nothing of these answers was used",
          remedy: "remove the stick that was inserted last; 'log' shows more"))
    }
    if library.isInMemory {
      findings.append(
        Finding(
          "library.in-memory", "library", .bad, "its folder could not be used, so it is in memory",
          meaning: "the lists are made again at each start, and lists of large sticks are cut",
          remedy:
            "'service library' shows why; 'service restart library' tries again; 'reboot' sets the rights"
        ))
    }
    let excluded = library.files.filter(\.isExcluded)
    if !excluded.isEmpty {
      findings.append(
        Finding(
          "library.excluded", "library", .note,
          "not read: \(excluded.map(\.path).joined(separator: ", "))",
          meaning:
            "the library was stopped twice while it read \(excluded.count == 1 ? "this file" : "each of these files")",
          remedy: "delete or replace the files, or try again with 'library read NAME'"))
    }
    return findings.isEmpty
      ? [Finding("library.answers", "library", .good, "the library answers")] : findings
  }
}

// The power supply and the temperature of the board. There is no finding about a value that the board does not report.
extension UnitChecks {
  var board: [Finding] { supply + temperature }

  private var supply: [Finding] {
    let remedy = "use a stronger supply, and a shorter and thicker cable"
    let meaning = "the board becomes slow, and may restart or damage its card"
    switch snapshot.run.board.supply {
    case .unknown: return []
    case .good: return [Finding("supply.good", "supply", .good, "the voltage is high enough")]
    case .low:
      return [
        Finding(
          "supply.low", "supply", .bad, "the voltage is too low", meaning: meaning, remedy: remedy)
      ]
    case .wasLow(let moment):
      let ago = UnitFacts.time(snapshot.now.wholeTime(since: moment))
      return [
        Finding(
          "supply.was-low", "supply", .bad, "the voltage was too low, at last \(ago) ago",
          meaning: meaning, remedy: remedy)
      ]
    }
  }

  private var temperature: [Finding] {
    let board = snapshot.run.board
    guard let temperature = board.temperature else { return [] }
    let remedy = "give the board more air, or a heat sink"
    if board.isTooHot {
      return [
        Finding(
          "temperature.high", "temperature", .bad, "the processor has \(temperature) °C",
          meaning: "the processor is slower from \(BoardState.tooHot) °C on", remedy: remedy)
      ]
    }
    if let highest = board.highest, board.wasTooHot {
      return [
        Finding(
          "temperature.was-high", "temperature", .note,
          "the processor has \(temperature) °C, and had \(highest) °C since the start",
          meaning: "the processor is slower from \(BoardState.tooHot) °C on", remedy: remedy)
      ]
    }
    return [
      Finding(
        "temperature.good", "temperature", .good, "the processor has \(temperature) °C")
    ]
  }
}

extension UnitFacts {
  /// The rows of `status` about the board.
  var board: [FactsReport.Fact] {
    let board = snapshot.run.board
    var facts: [FactsReport.Fact] = []
    switch board.supply {
    case .unknown: break
    case .good: facts.append(.init("supply", "good", .good))
    case .low: facts.append(.init("supply", "the voltage is too low; see 'diagnose'", .bad))
    case .wasLow: facts.append(.init("supply", "the voltage was too low; see 'diagnose'", .bad))
    }
    if let temperature = board.temperature {
      facts.append(.init("temperature", "\(temperature) °C", board.isTooHot ? .bad : .plain))
    }
    return facts
  }
}
