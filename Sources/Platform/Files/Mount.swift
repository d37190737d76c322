/// A mount, as the kernel lists it in `mountinfo`.
package struct Mount {
  /// The number of the mount. If a medium is mounted at the same point again, the new mount has another number.
  package var id: String
  package var point: String
  /// False for a bind mount, which shows a folder of a file system at another path. The sandbox of the daemon
  /// contains some bind mounts.
  package var isWhole: Bool
  /// The type of the file system: `ext4`, `vfat`, …
  package var kind: String
  /// The device, such as `/dev/sda1`, or another name, such as `tmpfs`.
  package var source: String

  package init(id: String, point: String, isWhole: Bool, kind: String, source: String) {
    self.id = id
    self.point = point
    self.isWhole = isWhole
    self.kind = kind
    self.source = source
  }

  /// Maximum number of mounts in a list.
  private static let limit = 100

  /// The mounts in the text of `mountinfo` whose mount points satisfy `isWanted`, at most 100.
  package static func all(
    in text: String, where isWanted: (_ point: String) -> Bool
  ) -> [Mount] {
    var mounts: [Mount] = []
    for line in text.split(separator: "\n") where mounts.count < limit {
      let words = line.split(separator: " ")
      guard words.count > 6, let dash = words[6...].firstIndex(of: "-"), dash + 2 < words.count
      else { continue }
      let point = unescaped(words[4])
      guard isWanted(point) else { continue }
      mounts.append(
        Mount(
          id: String(words[0]), point: point, isWhole: words[3] == "/",
          kind: String(words[dash + 1]), source: unescaped(words[dash + 2])))
    }
    return mounts
  }

  /// Decodes a path of the kernel's list. The kernel writes a space, a tab, a line feed and a backslash as a backslash
  /// with three octal digits.
  private static func unescaped(_ word: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = FileName.bytes(String(word))[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return FileName.text(bytes)
  }
}
