/// Which files of a folder are covers, by name, and which is taken first: by what it is called
/// (`cover`, `folder`, `front`, `album`), then by its ending (`.jpg`, `.jpeg`, `.png`). Case does
/// not matter; of names that differ only in case, the first in order of bytes is taken.
struct FolderImages {
  static let names = ["cover", "folder", "front", "album"]
  static let suffixes = ["jpg", "jpeg", "png"]

  private var found: [(rank: Int, name: String)] = []

  /// Looks at a name.
  mutating func add(_ name: String) {
    guard let rank = Self.rank(name) else { return }
    found.append((rank, name))
  }

  /// The first is to be tried first.
  var inOrder: [String] { found.sorted { $0 < $1 }.map(\.name) }

  private static func rank(_ name: String) -> Int? {
    // The longest is folder.jpeg; whatever is longer need not be lower-cased.
    guard name.utf8.count <= 11 else { return nil }
    let parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = names.firstIndex(where: { $0 == parts[0] }),
      let second = suffixes.firstIndex(where: { $0 == parts[1] })
    else { return nil }
    return first * suffixes.count + second
  }
}
