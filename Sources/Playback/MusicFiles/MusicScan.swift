public import AudioCodecs

/// Finds music in the files and folders that the user named, and in all folders below them. A path that is named twice
/// is found twice. If several links below one named folder lead to the same folder, that folder is searched once. A
/// search of a medium does not leave the medium. A link on a medium is followed only if it leads to a hidden file or
/// folder of the medium, because the search finds everything else without the link.
///
/// In a folder, the content of a file decides whether the file is music. The name of a file matters only if the file is
/// not music: then `song.flac` is reported, and `cover.jpg` is not reported.
public struct MusicScan {
  /// The result for one file or folder.
  public enum Finding: Sendable, Equatable {
    /// The file can be played, although its header may be damaged.
    case music(MusicFile, headerDamage: [DecodeError])
    /// The file cannot be played, or the folder could not be read to its end.
    case unplayable(UnplayableFile)
  }

  /// Limits of a scan, because a stick can contain any number of files and folders. If a limit is reached, this is
  /// reported.
  struct Limits {
    /// Maximum number of files that are opened, in all folders together.
    var files = 100_000
    /// Maximum depth of nested folders.
    var depth = 64
    /// Maximum memory for the names in a folder and in the folders above it, in bytes. It is enough for 100 000 names
    /// of 30 bytes.
    var nameBytes = 16 << 20
  }

  /// The findings, in the order of the named paths. The findings of a folder are its music in playing order, then its
  /// unplayable files, then the findings of its subfolders.
  public let findings: [Finding]
  /// The part of the result that is known only when the scan ends.
  private let summary: Summary
  /// True if `progress` stopped the scan. The findings are then incomplete.
  public var wasStopped: Bool { summary.wasStopped }

  /// The part of the result that is known only when the scan ends.
  public struct Summary: Sendable {
    /// True if `progress` stopped the scan.
    public internal(set) var wasStopped = false
    /// True if the scan found more files or names than its limits permit.
    public internal(set) var wasCut = false
    /// Number of tag values that were cut or left out, because they exceed a limit.
    public internal(set) var cutTagValues = 0
  }

  /// The files that can be played, in playing order.
  public var files: [MusicFile] {
    findings.compactMap { if case .music(let file, _) = $0 { file } else { nil } }
  }

  /// The damage of the headers, by path. Files without damage are left out.
  public var headerDamage: [String: [DecodeError]] {
    var damage: [String: [DecodeError]] = [:]
    for case .music(let file, let errors) in findings where !errors.isEmpty {
      damage[file.path] = errors
    }
    return damage
  }

  /// The files that cannot be played, in the order in which they were found.
  public var unplayable: [UnplayableFile] {
    findings.compactMap { if case .unplayable(let file) = $0 { file } else { nil } }
  }

  /// Blocks while it reads folders and tags.
  /// - Parameter progress: called with the number of files opened so far, thousands of times a second, also while a
  ///   file is read. If `progress` returns false, the scan stops and `progress` is not called again.
  public init(paths: [String], progress: @escaping (Int) -> Bool = { _ in true }) {
    self.init(paths: paths, limits: Limits(), progress: progress)
  }

  /// The answer to the question whether the scan may read a path.
  public enum Step: Sendable {
    /// The path is read.
    case read
    /// The path and all below it are left out, without a finding.
    case skip
    /// The scan ends.
    case stop
  }

  /// Scans as ``init(paths:progress:)`` does, but does not store the findings.
  /// - Parameters:
  ///   - media: the folders in which media are mounted. A search of a medium does not leave this medium.
  ///   - step: called before each access to a path, with the path and the number of files opened so far. `step` can be
  ///     called several times with the same path.
  ///   - found: called with each finding, in the order of ``findings``.
  public static func run(
    paths: [String], media: Set<String> = [], step: @escaping (String, Int) -> Step,
    found: @escaping (Finding) -> Void
  ) -> Summary {
    run(paths: paths, media: media, limits: Limits(), step: step, found: found)
  }

  init(paths: [String], limits: Limits, progress: @escaping (Int) -> Bool) {
    var findings: [Finding] = []
    summary = Self.run(
      paths: paths, media: [], limits: limits, step: { progress($1) ? .read : .stop },
      found: { findings.append($0) })
    self.findings = findings
  }

  static func run(
    paths: [String], media: Set<String>, limits: Limits,
    step: @escaping (String, Int) -> Step, found: @escaping (Finding) -> Void
  ) -> Summary {
    var walk = FolderWalk(media: media, limits: limits, step: step, found: found)
    for path in paths { walk.scan(path) }
    return walk.summary
  }
}

/// A file of one folder, with the values that determine its position in the playing order.
struct ScannedFile {
  var file: MusicFile
  var headerDamage: [DecodeError]
  var disc: Int?
  var track: Int?
}

/// Sorts the files of one folder into playing order. `files` must be sorted by name. The order is album by album, and
/// within an album by disc and track number. Files without a track number come after the numbered files of the same
/// disc, sorted by name. The position of an album is the position of its first file.
func albumOrder(_ files: [ScannedFile]) -> [ScannedFile] {
  var albums: [String: [ScannedFile]] = [:]
  var order: [String] = []
  for file in files {
    let album = file.file.album ?? ""
    if albums[album] == nil { order.append(album) }
    albums[album, default: []].append(file)
  }
  return order.flatMap { album in
    let files = albums[album] ?? []
    let numbers = files.map(discAndTrack)
    return files.indices.sorted { left, right in
      numbers[left] == numbers[right] ? left < right : numbers[left] < numbers[right]
    }.map { files[$0] }
  }
}

private func discAndTrack(_ file: ScannedFile) -> (Int, Int) {
  (file.disc ?? 1, file.track ?? .max)
}
