internal import MusicFiles

/// Files that cannot be played: the first files with their reasons, and the number of all such files.
struct UnplayableFiles: Sendable {
  /// Maximum number of files that are stored.
  static let limit = 1000

  private(set) var stored: [UnplayableFile] = []
  private(set) var count = 0

  var first: UnplayableFile? { stored.first }

  init(_ files: [UnplayableFile] = []) { for file in files { add(file) } }

  mutating func add(_ file: UnplayableFile) {
    if stored.count < Self.limit { stored.append(file) }
    count += 1
  }

  mutating func add(_ others: UnplayableFiles) {
    stored += others.stored.prefix(Self.limit - stored.count)
    count += others.count
  }

  /// Adds to ``count`` a number of files whose paths are not known.
  mutating func addUnstored(_ number: Int) { count += max(0, number) }

  /// Keeps the stored files for which `isPresent` is true.
  /// - Parameter total: the number of all files that remain, also of those that are not stored.
  mutating func keep(total: Int, where isPresent: (String) -> Bool) {
    stored.removeAll { !isPresent($0.path) }
    count = max(stored.count, total)
  }

  func contains(_ path: String) -> Bool { stored.contains { $0.path == path } }

  /// Removes the stored files for which `isGone` is true.
  mutating func removeAll(where isGone: (UnplayableFile) -> Bool) {
    let before = stored.count
    stored.removeAll(where: isGone)
    count -= before - stored.count
  }
}
