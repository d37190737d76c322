internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import UnitState

/// Checks the unit below Now Playing. A finding says what was found, what it means and what to do.
/// A good finding takes one line.
struct UnitChecks {
  typealias Finding = DiagnosisReport.Finding

  /// Maximum number of wrong configuration lines that are reported one by one.
  private static let wrongLines = 5
  /// Minimum free space in bytes. Less is not enough for a cover and a log.
  private static let leastSpace: UInt64 = 1 << 20

  let snapshot: UnitSnapshot

  init(_ snapshot: UnitSnapshot) { self.snapshot = snapshot }

  /// In the order in which a person would look.
  var all: [Finding] {
    folders + music + output + volume + realTime + state + space + configuration + starts + clock
  }

  // MARK: Music

  private var folders: [Finding] {
    let folders = snapshot.machine.folders.map(\.path)
    let missing = snapshot.machine.folders.filter { !$0.isThere }.map(\.path)
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
    // Files that looked like music but failed during playback count as unplayable.
    let music = snapshot.music
    let count = max(0, music.count - music.broken.count)
    let unplayable = music.unplayable + music.broken
    var findings: [Finding] = []
    if music.isFinding {
      findings.append(
        Finding("music", .note, "folders are being read, \(music.lookedInto) files so far"))
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
    if let lost = music.lostPath {
      findings.append(
        Finding(
          "medium", .bad, "\(lost) has gone while it was needed",
          meaning: "the stick was pulled, or has failed; its place is kept",
          remedy: "plug it in again, or play something else"))
    } else if let path = music.awaitedPath {
      findings.append(
        Finding(
          "medium", .note, "\(path), which played last, is not there", meaning: "it is waited for"))
    }
    return findings
  }

  private static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

  // MARK: State

  private var state: [Finding] {
    let (saving, folder) = (snapshot.storage.saving, snapshot.storage.stateFolder)
    var findings = snapshot.storage.notices.map { notice in
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
    let folder = snapshot.storage.stateFolder
    guard let space = snapshot.machine.stateSpace else { return [] }
    let free = space.free
    if space.isReadOnly {
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
    let wrong = snapshot.configuration.notices.filter { $0.kind == .wrong }
    guard !wrong.isEmpty else { return [Finding("config", .good, "no wrong line")] }
    let more = wrong.count - Self.wrongLines
    return wrong.prefix(Self.wrongLines).map {
      Finding("config", .bad, $0.description, remedy: "mend it, and check: autoharp config check")
    } + (more > 0 ? [Finding("config", .bad, "\(more) more lines are wrong")] : [])
  }

  private var starts: [Finding] {
    let failures = snapshot.run.history.failuresInARow
    guard failures > 0 else { return [Finding("starts", .good, "none failed lately")] }
    let reason = snapshot.run.history.starts.dropLast().last?.reason ?? ""
    return [
      Finding(
        "starts", .bad, "\(failures) in a row failed, the last because \(reason)",
        meaning: snapshot.run.isSafeMode
          ? "it plays nothing by itself, as that may be what kills it" : nil,
        remedy: "'log' and 'boot' tell more; it is forgotten when a run lasts")
    ]
  }

  private var clock: [Finding] {
    let clock = snapshot.machine.clock
    return [Finding("clock", clock.seconds == nil ? .note : .good, clock.words)]
  }
}
