/// The list of the files of the cache, with their order of use.
struct CacheIndex {
  struct Entry {
    let bytes: Int
    fileprivate var use: Int
    /// True if this process has compared the bytes of the file with the hash in its name.
    var isVerified: Bool
  }

  private(set) var entries: [CacheName: Entry] = [:]
  private(set) var bytes = 0
  private var uses = 0

  /// Adds a file as the most recently used file. Replaces an entry with the same name.
  mutating func insert(_ name: CacheName, bytes count: Int, isVerified: Bool) {
    remove(name)
    uses += 1
    entries[name] = Entry(bytes: count, use: uses, isVerified: isVerified)
    bytes += count
  }

  mutating func remove(_ name: CacheName) {
    if let entry = entries.removeValue(forKey: name) { bytes -= entry.bytes }
  }

  mutating func use(_ name: CacheName) {
    uses += 1
    entries[name]?.use = uses
  }

  mutating func verified(_ name: CacheName) { entries[name]?.isVerified = true }

  /// The files that must be removed to make room for `added` more files with `count` bytes in total. The least recently
  /// used file comes first.
  func victims(for count: Int, files added: Int, limits: ArtworkCache.Limits) -> [CacheName] {
    var bytes = bytes + count
    var files = entries.count + added
    guard bytes > limits.bytes || files > limits.files else { return [] }
    var victims: [CacheName] = []
    for (name, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      if bytes <= limits.bytes, files <= limits.files { break }
      victims.append(name)
      bytes -= entry.bytes
      files -= 1
    }
    return victims
  }
}
