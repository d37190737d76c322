/// The inotify watches of each volume, ordered by the depth of their folders. A value without I/O.
///
/// If a link leads to a folder of another volume, this folder has one watch, which belongs to both volumes.
struct WatchTable {
  private struct Volume {
    /// The number of the current scan, or of the last one.
    var scan = 0
    /// For each depth, the watches (keys), and the last scan that has found the folder of each watch (values).
    var levels: [[Int32: Int]] = []

    mutating func remove(_ watch: Int32) {
      for depth in levels.indices { levels[depth][watch] = nil }
    }

    func contains(_ watch: Int32) -> Bool { levels.contains { $0[watch] != nil } }
  }

  private var volumes: [String: Volume] = [:]
  /// The number of watches. A watch that belongs to two volumes counts twice.
  var count: Int { volumes.values.reduce(0) { $0 + $1.levels.reduce(0) { $0 + $1.count } } }
  /// The volumes whose scan was begun.
  var identities: Set<String> { Set(volumes.keys) }

  /// The volumes to which a watch belongs.
  func volumes(of watch: Int32) -> [String] {
    volumes.filter { $0.value.contains(watch) }.map(\.key)
  }

  /// The depth of the deepest watched folder. -1 if no folder is watched.
  var deepest: Int {
    volumes.values.reduce(-1) { max($0, $1.levels.lastIndex { !$0.isEmpty } ?? -1) }
  }

  /// Begins a scan of a volume.
  mutating func beginScan(_ identity: String) { volumes[identity, default: Volume()].scan += 1 }

  /// Records that the current scan has found a folder. Does nothing if no scan of this volume was begun.
  mutating func add(_ watch: Int32, depth: Int, of identity: String) {
    guard var volume = volumes.removeValue(forKey: identity) else { return }
    volume.remove(watch)
    while volume.levels.count <= depth { volume.levels.append([:]) }
    volume.levels[depth][watch] = volume.scan
    volumes[identity] = volume
  }

  /// Removes a watch from all volumes.
  mutating func remove(_ watch: Int32) {
    for identity in volumes.keys { volumes[identity]?.remove(watch) }
  }

  /// Removes one of the deepest watches and returns it. Nil if no folder is deeper than `depth`.
  mutating func removeDeepest(below depth: Int) -> Int32? {
    let deepest = deepest
    guard deepest > depth else { return nil }
    for volume in volumes.values where volume.levels.count > deepest {
      guard let watch = volume.levels[deepest].keys.first else { continue }
      remove(watch)
      return watch
    }
    return nil
  }

  /// Ends a complete scan of a volume. Removes the watches of folders that this scan has not found, and returns the
  /// watches that no volume needs any more.
  mutating func endScan(_ identity: String) -> [Int32] {
    guard let volume = volumes[identity] else { return [] }
    let old = volume.levels.flatMap { $0.filter { $0.value != volume.scan }.keys }
    for watch in old { volumes[identity]?.remove(watch) }
    return unused(old)
  }

  /// Removes the volumes that are not in `identities`. Returns the watches that no volume needs any more.
  mutating func keep(_ identities: Set<String>) -> [Int32] {
    let gone = volumes.filter { !identities.contains($0.key) }
    for identity in gone.keys { volumes[identity] = nil }
    return unused(gone.values.flatMap { $0.levels.flatMap(\.keys) })
  }

  private func unused(_ watches: [Int32]) -> [Int32] {
    watches.filter { watch in !volumes.values.contains { $0.contains(watch) } }
  }
}
