/// The songs with errors during playback: files that could not be read, and files of which parts could not be decoded.
/// The errors of a stick are forgotten when the stick is removed.
struct SongErrors: Sendable {
  private struct Entry {
    /// The volume of the file. Nil if the file is in no volume that is present.
    let volume: MusicVolume?
    var readErrors = 0
    var isDamaged = false
  }

  /// Maximum number of files whose errors are stored.
  static let limit = 100

  private var entries: [String: Entry] = [:]

  /// The files that could not be read, with their numbers of errors.
  var readErrors: [String: Int] { entries.mapValues(\.readErrors).filter { $0.value > 0 } }

  /// The files of which parts could not be decoded.
  var damaged: Set<String> { Set(entries.filter(\.value.isDamaged).keys) }

  mutating func addReadError(_ path: String, present: () -> [MusicVolume]) {
    change(path, present) { $0.readErrors += 1 }
  }

  mutating func addDamage(_ path: String, present: () -> [MusicVolume]) {
    change(path, present) { $0.isDamaged = true }
  }

  private mutating func change(
    _ path: String, _ present: () -> [MusicVolume], _ body: (inout Entry) -> Void
  ) {
    if entries[path] == nil {
      guard entries.count < Self.limit else { return }
      // The music folder of the sticks contains each stick, and stays when the stick is removed.
      let volume = present().filter { MusicVolume.contains($0.path, path) }
        .max { $0.path.utf8.count < $1.path.utf8.count }
      entries[path] = Entry(volume: volume)
    }
    body(&entries[path]!)
  }

  /// Forgets the files of volumes that are not in `present`. Must be called after each change of the mounts, because
  /// the kernel gives the number of a removed mount to the next mount.
  mutating func keep(_ present: [MusicVolume]) {
    let present = Set(present)
    entries = entries.filter { $0.value.volume.map(present.contains) ?? false }
  }
}
