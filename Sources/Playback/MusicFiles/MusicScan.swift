internal import AudioCodecs

/// Finds music in the files and folders that the user named, and in all folders below them. A path
/// that is named twice is found twice. If several links below one named folder lead to the same
/// folder, that folder is searched once.
///
/// In a folder, the content of a file decides whether the file is music. The name only decides
/// whether a file without music is reported: `song.flac` is reported, `cover.jpg` is not reported.
public struct MusicScan {
  /// The result for one file or folder.
  public enum Finding: Sendable, Equatable {
    /// The file can be played.
    case music(MusicFile)
    /// The file cannot be played, or the folder could not be read to its end.
    case unplayable(UnplayableFile)
  }

  /// Limits of a scan, because a stick may contain any number of files and folders. If a limit is
  /// reached, this is reported.
  struct Limits {
    /// Maximum number of files that are opened, in all folders together.
    var files = 100_000
    /// Maximum depth of nested folders.
    var depth = 64
  }

  /// The findings, in the order of the named paths. The findings of a folder are its music in
  /// playing order, then its unplayable files, then the findings of its subfolders.
  public let findings: [Finding]
  /// True if `progress` stopped the scan. The findings are then incomplete.
  public let wasStopped: Bool

  /// The files that can be played, in playing order.
  public var files: [MusicFile] {
    findings.compactMap { if case .music(let file) = $0 { file } else { nil } }
  }

  /// The files that cannot be played, in the order in which they were found.
  public var unplayable: [UnplayableFile] {
    findings.compactMap { if case .unplayable(let file) = $0 { file } else { nil } }
  }

  /// Blocks while it reads folders and tags.
  /// - Parameter progress: called with the number of files opened so far, thousands of times a
  ///   second, also while a file is read. If `progress` returns false, the scan stops and
  ///   `progress` is not called again.
  public init(paths: [String], progress: @escaping (Int) -> Bool = { _ in true }) {
    self.init(paths: paths, limits: Limits(), progress: progress)
  }

  init(paths: [String], limits: Limits, progress: @escaping (Int) -> Bool) {
    var walk = FolderWalk(limits: limits, progress: progress)
    for path in paths { walk.scan(path) }
    findings = walk.findings
    wasStopped = walk.wasStopped
  }
}

/// Sorts the files of one folder into playing order. `files` must be sorted by name. The order is
/// album by album, and within an album by disc and track number. Files without a track number
/// follow, sorted by name. The place of an album is the place of its first file.
func albumOrder(_ files: [MusicFile]) -> [MusicFile] {
  var albums: [String: [MusicFile]] = [:]
  var order: [String] = []
  for file in files {
    let album = file.metadata.album ?? ""
    if albums[album] == nil { order.append(album) }
    albums[album, default: []].append(file)
  }
  return order.flatMap { album in
    let files = albums[album] ?? []
    let places = files.map(place)
    return files.indices.sorted { left, right in
      places[left] == places[right] ? left < right : places[left] < places[right]
    }.map { files[$0] }
  }
}

private func place(_ file: MusicFile) -> (Int, Int) {
  (file.metadata.discNumber ?? 1, file.metadata.trackNumber ?? .max)
}
