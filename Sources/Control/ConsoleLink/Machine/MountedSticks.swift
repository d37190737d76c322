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
    Mount.all(in: text(of: files.mounts)) { $0.hasPrefix(files.media + "/") }
      .filter { $0.source.hasPrefix("/dev/") }
      .map { MountedStick(device: String($0.source.dropFirst("/dev/".count)), folder: $0.point) }
  }

  /// The reports about sticks that could not be mounted.
  var notices: [StorageNotice] {
    names(in: files.sticks).flatMap { StorageNotice.all(in: text(of: "\(files.sticks)/\($0)")) }
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
    }
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
    FolderReader.names(in: folder, atMost: Self.maximumDisks)
  }

  private func text(of path: String) -> String {
    KernelFile.bytes(path, atMost: Self.limit).map(FileName.text) ?? ""
  }

  private func lines(of path: String) -> [Substring] { text(of: path).split(separator: "\n") }
}
