/// The folders that operating systems create on a stick. They contain deleted files and the remains of repairs, but no
/// music. Folders whose names begin with a dot, such as `.Trashes`, are hidden and are not in this list.
private let systemFolders = SystemFolders()

/// True if an operating system creates a folder with this name on a stick.
package func isSystemFolder(_ name: [UInt8]) -> Bool {
  // The names of all system folders begin with one of these characters. Few other names begin with these characters, so
  // few names must be looked up.
  switch name.first.map({ $0 | 0x20 }) {
  case UInt8(ascii: "$"), UInt8(ascii: "s"), UInt8(ascii: "l"), UInt8(ascii: "f"):
    systemFolders.contains(String(decoding: name, as: UTF8.self))
  default: false
  }
}

struct SystemFolders {
  private let names: Set<String> = [
    "$recycle.bin", "system volume information", "lost.dir", "lost+found", "$extend",
    "$winreagent",
  ]

  /// True if a system folder has this name. The comparison ignores case, because FAT and Windows ignore case.
  func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name) || isRepair(name)
  }

  /// True for `found.000`, `found.001`, …: folders with fragments that a repair by Windows has found.
  private func isRepair(_ name: String) -> Bool {
    let digits = name.utf8.dropFirst("found.".utf8.count)
    return name.hasPrefix("found.") && digits.count == 3
      && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}
