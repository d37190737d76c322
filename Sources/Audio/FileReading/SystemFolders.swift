/// The folders that operating systems make on a stick. They have no music, but deleted files and the remains of
/// repairs. Folders whose names begin with a dot, such as `.Trashes`, are hidden and are not in this list.
private let systemFolders = SystemFolders()

/// True if the name is that of a folder that an operating system makes on a stick.
package func isSystemFolder(_ name: [UInt8]) -> Bool {
  // All these names begin with one of these characters, which few other names do.
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

  /// True if the name is that of a system folder. Letters are compared without their case, because FAT and Windows do
  /// so.
  func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name) || isRepair(name)
  }

  /// `found.000`, `found.001`, …: fragments that a repair of Windows has found.
  private func isRepair(_ name: String) -> Bool {
    let digits = name.utf8.dropFirst("found.".utf8.count)
    return name.hasPrefix("found.") && digits.count == 3
      && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}
