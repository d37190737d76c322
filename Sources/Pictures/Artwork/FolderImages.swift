/// Selects covers among the files of a folder by their names, and sorts them: first by the name (`cover`, `folder`,
/// `front`, `album`), then by the extension (`.jpg`, `.jpeg`, `.png`). Case is ignored. Names that differ only in case
/// are sorted by their bytes.
package struct FolderImages {
  static let names = ["cover", "folder", "front", "album"]
  static let suffixes = ["jpg", "jpeg", "png"]

  private var found: [(rank: Int, name: String)] = []

  /// Creates a selection without files.
  package init() {}

  /// The length of the longest name of a cover, folder.jpeg, in bytes.
  package static let maximumNameBytes = 11

  /// Adds the name of a file in the folder. If it is not the name of a cover, it is ignored.
  package mutating func add(_ name: String) {
    guard let rank = Self.rank(name) else { return }
    found.append((rank, name))
  }

  /// The names, best first.
  package var inOrder: [String] { found.sorted { $0 < $1 }.map(\.name) }

  private static func rank(_ name: String) -> Int? {
    // A longer name is ignored without a conversion to lower case.
    guard name.utf8.count <= maximumNameBytes else { return nil }
    let parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = names.firstIndex(where: { $0 == parts[0] }),
      let second = suffixes.firstIndex(where: { $0 == parts[1] })
    else { return nil }
    return first * suffixes.count + second
  }
}
