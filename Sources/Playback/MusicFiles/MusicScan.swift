internal import AudioCodecs

/// Finds the music at paths: files as they are named, folders with all that is below them. What
/// is named twice is found twice; within one folder, what links lead to again is found once.
///
/// In a folder, content decides what is music. A name only decides whether it is worth a
/// word that a file is none: `cover.jpg` is not, `song.flac` is.
public struct MusicScan {
  /// What a path turned out to be.
  public enum Finding: Sendable, Equatable {
    /// It can be played.
    case music(MusicFile)
    /// It cannot.
    case unplayable(UnplayableFile)
  }

  /// Where a scan gives up and says so, as a stick may hold anything.
  struct Limits {
    /// Files that are looked into, in all folders together.
    var files = 100_000
    /// Folders within folders.
    var depth = 64
  }

  /// In the order of the paths. Of a folder: its music in playing order, what cannot be played,
  /// and then the folders in it.
  public let findings: [Finding]
  /// `progress` said so; what was found is a part.
  public let wasStopped: Bool

  /// What can be played, in playing order.
  public var files: [MusicFile] {
    findings.compactMap { if case .music(let file) = $0 { file } else { nil } }
  }

  /// What cannot, in the order in which it was met.
  public var unplayable: [UnplayableFile] {
    findings.compactMap { if case .unplayable(let file) = $0 { file } else { nil } }
  }

  /// Blocks while it reads folders and tags.
  /// - Parameter progress: called with the number of files looked into so far, thousands of times
  ///   a second and also while a file is read; false stops the scan, and is the last call.
  public init(paths: [String], progress: @escaping (Int) -> Bool = { _ in true }) {
    self.init(paths: paths, limits: Limits(), progress: progress)
  }

  init(paths: [String], limits: Limits, progress: @escaping (Int) -> Bool) {
    var walk = FolderWalk(limits: limits, progress: progress)
    for path in paths { walk.follow(path) }
    findings = walk.findings
    wasStopped = walk.wasStopped
  }
}

/// The files of one folder, given by name, in playing order: album by album, each by disc and
/// track number, what has none by name. An album stands where its first file name stands.
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
