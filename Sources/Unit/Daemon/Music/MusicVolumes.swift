internal import AudioCodecs
internal import MusicFiles
internal import Reports

/// The volumes of the last search with their numbers of files. Decides which volumes need a notice. A volume causes at
/// most one notice while it is mounted.
struct MusicVolumes {
  /// The volumes of the last search that are still mounted.
  private(set) var found: [(volume: MusicVolume, count: VolumeCount)] = []
  /// `noticed`: the volumes whose notice was returned by ``takeNotices(isNew:)``. `logged`: the volumes whose log line
  /// was returned by ``takeLines()``.
  private var noticed: Set<MusicVolume> = []
  private var logged: Set<MusicVolume> = []
  /// The volumes whose unplayable files were logged.
  private var listed: Set<MusicVolume> = []
  /// The names of the present volumes.
  private var names: [MusicVolume: String] = [:]
  /// The volumes that do not answer.
  private var silent: Set<MusicVolume> = []

  /// Applies the result of a search.
  /// - Parameters:
  ///   - searched: the volumes at the start of the search.
  ///   - present: the volumes at the end of the search. A volume that was removed during the search is left out,
  ///     because its numbers of files are wrong.
  ///   - wasCut: true if the search has reached a limit, so that each volume can have more files.
  mutating func apply(
    _ counts: [String: VolumeCount], of searched: [MusicVolume], present: [MusicVolume],
    wasCut: Bool = false
  ) {
    found = searched.map { volume in
      var count = counts[volume.path] ?? VolumeCount()
      count.isCut = count.isCut || wasCut
      return (named(volume), count)
    }
    keep(present)
  }

  /// Takes over the names of the present volumes.
  mutating func setNames(_ present: PresentVolumes) {
    names = [:]
    for volume in present.volumes.values { names[volume] = volume.name }
    found = found.map { (named($0.volume), $0.count) }
  }

  private func named(_ volume: MusicVolume) -> MusicVolume {
    var volume = volume
    volume.name = names[volume] ?? volume.name
    return volume
  }

  /// Forgets the volumes that are not in `present`. Must be called after each change of the mounts, because the kernel
  /// gives the number of a removed mount to the next mount.
  mutating func keep(_ present: [MusicVolume]) {
    let present = Set(present)
    found.removeAll { !present.contains($0.volume) }
    noticed.formIntersection(present)
    logged.formIntersection(present)
    listed.formIntersection(present)
    silent.formIntersection(present)
  }

  /// Records that a volume does not answer. Returns false if this was recorded before.
  mutating func noteSilent(_ volume: MusicVolume) -> Bool { silent.insert(volume).inserted }

  /// The sum of the numbers of all volumes.
  var total: VolumeCount {
    var total = VolumeCount()
    for (_, count) in found { total.add(count) }
    return total
  }

  /// Returns the notices about volumes that were not returned yet.
  /// - Parameter isNew: returns false for a notice about unplayable files that the driver has seen in an earlier run,
  ///   because a stick often stays in the car.
  mutating func takeNotices(isNew: (MusicVolume, UnplayableFormats) -> Bool = { _, _ in true })
    -> [UnitNotice]
  {
    found.compactMap { volume, count in
      guard let notice = Self.notice(volume, count), noticed.insert(volume).inserted else {
        return nil
      }
      return notice.files.map { isNew(volume, $0) } ?? true ? notice : nil
    }
  }

  /// Returns a function that says whether a path is on a volume that was found for the first time.
  mutating func takeNewPaths() -> (String) -> Bool {
    let listed = self.listed
    let new = found.map(\.volume).filter { !listed.contains($0) }.map(\.path)
    let old = found.map(\.volume).filter { listed.contains($0) }.map(\.path)
    self.listed.formUnion(found.map(\.volume))
    // A path belongs to the volume with the longest path that contains it.
    func length(_ volumes: [String], _ path: String) -> Int {
      volumes.filter { MusicVolume.contains($0, path) }.map(\.utf8.count).max() ?? 0
    }
    return { length(old, $0) <= length(new, $0) }
  }

  /// Returns the lines for the log that were not returned yet.
  mutating func takeLines() -> [(event: LogEvent, text: String)] {
    found.compactMap { volume, count in
      let line: (LogEvent, String)
      if let summary = count.summary {
        line = (
          .musicUnsupported,
          "\(volume.path): \(Self.files(count.unplayable)) cannot be played: \(summary)"
        )
      } else if Self.hasNoMusic(volume, count) {
        line = (.musicNone, "\(volume.path) has no music")
      } else {
        return nil
      }
      return logged.insert(volume).inserted ? line : nil
    }
  }

  static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

  private static func notice(_ volume: MusicVolume, _ count: VolumeCount) -> UnitNotice? {
    let formats = count.formats
    if !formats.isEmpty {
      return UnitNotice(
        .filesUnplayable, about: volume.name,
        files: UnplayableFormats(count: count.unplayable, formats: formats.map(\.name)))
    }
    return hasNoMusic(volume, count) ? UnitNotice(.noMusic, about: volume.name) : nil
  }

  /// True if the volume is a stick without a file that can be played. An empty music folder of the unit is normal.
  private static func hasNoMusic(_ volume: MusicVolume, _ count: VolumeCount) -> Bool {
    volume.isStick && count.playable == 0 && count.isComplete
  }
}
