internal import Files
internal import Glibc
internal import Reports

/// A stick that is mounted.
struct MountedStick: Equatable {
  /// The name of the disk or partition, such as `sda1`.
  let device: String
  /// The folder of the mount.
  let folder: String

  var folderName: String { folder.split(separator: "/").last.map(String.init) ?? "" }
}

/// Reads which sticks are mounted, and which disks the kernel sees.
struct MountedSticks {
  private static let limit = 256 << 10
  private static let maximumDisks = 64

  let files: MachineFiles

  /// The sticks, in the order of their mounts.
  var all: [MountedStick] {
    let bytes = lines(of: files.mounts)
    return bytes.compactMap { line in
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count > 6, let separator = fields.firstIndex(of: "-"),
        fields.count > separator + 2
      else { return nil }
      let folder = Self.unescaped(fields[4])
      let source = Self.unescaped(fields[separator + 2])
      guard folder.hasPrefix(files.media + "/"), source.hasPrefix("/dev/") else { return nil }
      return MountedStick(device: String(source.dropFirst("/dev/".count)), folder: folder)
    }
  }

  /// The reports about sticks that could not be mounted.
  var notices: [StorageNotice] {
    names(in: files.sticks).sorted().flatMap { name in
      StorageNotice.all(in: lines(of: "\(files.sticks)/\(name)").joined(separator: "\n"))
    }
  }

  /// Removable disks that the kernel sees, and of which no partition is mounted below the folder of the sticks and no
  /// report says why.
  var unmountedDisks: [String] {
    let mounted = all.map(\.device)
    let reported = names(in: files.sticks)
    return names(in: files.disks).filter { disk in
      let folder = "\(files.disks)/\(disk)"
      guard disk.hasPrefix("sd") || disk.hasPrefix("mmcblk"),
        lines(of: "\(folder)/size").first.flatMap({ Int($0) }) ?? 0 > 0,
        isOutside(disk, folder)
      else { return false }
      return !(mounted + reported).contains { $0.hasPrefix(disk) }
    }.sorted()
  }

  /// True if the disk is a stick or card, and not the medium of the unit: it is removable or at USB, and has no
  /// partition of the image.
  private func isOutside(_ disk: String, _ folder: String) -> Bool {
    let isRemovable = lines(of: "\(folder)/removable").first == "1"
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(folder, &buffer, buffer.count - 1)
    let isAtUSB =
      count > 0
      && String(
        decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self
      ).split(separator: "/").contains { $0.hasPrefix("usb") }
    let isOfImage = names(in: folder).contains { part in
      part.hasPrefix(disk)
        && lines(of: "\(folder)/\(part)/uevent").contains { $0.hasPrefix("PARTNAME=autoharp-") }
    }
    return (isRemovable || isAtUSB) && !isOfImage
  }

  private func names(in folder: String) -> [String] {
    guard let reader = FolderReader(folder) else { return [] }
    var names: [String] = []
    while names.count < Self.maximumDisks, let name = reader.next() {
      if name.first != "." { names.append(name) }
    }
    return names
  }

  private func lines(of path: String) -> [Substring] { SmallFile.lines(path, atMost: Self.limit) }

  /// Replaces the octal numbers of mountinfo, such as `\040` for a space.
  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(number)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Reads small files of the kernel, whose size is not known before.
enum SmallFile {
  /// The lines of a file, up to a limit of bytes. Empty if the file cannot be read.
  static func lines(_ path: String, atMost limit: Int) -> [Substring] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var filled = 0
    while filled < limit {
      let count = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress! + filled, limit - filled)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      filled += count
    }
    return String(decoding: bytes[..<filled], as: UTF8.self).split(separator: "\n")
  }
}
