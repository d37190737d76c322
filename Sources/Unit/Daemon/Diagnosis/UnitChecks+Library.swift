internal import NowPlaying
internal import Reports

// The process of the library. A unit without a library has no findings.
extension UnitChecks {
  /// A process that has just been started needs a moment.
  private static let startTime = Duration.seconds(60)

  var library: [Finding] {
    guard let library = snapshot.library else { return [] }
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
      let isStarting = snapshot.now.wholeTime(since: snapshot.run.began) < Self.startTime
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
