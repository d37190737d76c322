internal import AudioCodecs
internal import Files
internal import Glibc
internal import MusicFiles

/// A storage volume that is searched: a medium below a music folder, or a music folder. Volumes with the same path and
/// mount are equal.
struct MusicVolume: Sendable {
  /// The mount point of the medium, or the music folder.
  let path: String
  /// The number of the mount. If a medium is mounted at the same path again, the new mount has another number.
  let mount: String
  /// The name of the volume that the driver sees: its label, or what ``MountedVolumes`` has made of it.
  var name: String
  /// True if the volume is a medium that users insert and remove.
  let isStick: Bool
  /// The type of the file system, such as `vfat`. Empty if it is unknown.
  var fileSystem = ""
  /// The device, such as `/dev/sda1`.
  var source = ""

  /// Maximum number of volumes. Further media count as a part of their music folder.
  private static let limit = 32

  /// The volumes of the music folders. Reads the kernel's list of mounts, so this does not wait for a medium.
  static func all(in folders: [String]) -> [MusicVolume] {
    // Of two mounts at one point, the later mount covers the earlier mount.
    var mounts: [String: Mount] = [:]
    for mount in MachineReadings.mounts() { mounts[mount.point] = mount }
    var volumes: [String: MusicVolume] = [:]
    for folder in folders {
      let folder = withoutTrailingSlashes(folder)
      let around = mounts.values.filter { contains($0.point, folder) }
        .max { $0.point.utf8.count < $1.point.utf8.count }
      let isMountPoint = around?.point == folder && around?.isWhole == true
      volumes[folder] = MusicVolume(
        path: folder, mount: around?.id ?? "",
        name: (isMountPoint ? around : nil).flatMap { VolumeLabel.of($0.source) }
          ?? lastComponent(folder),
        // The image mounts a file system in memory at `/media`, which contains the mount points. `/media` itself is not
        // a stick.
        isStick: isMountPoint && around?.kind != "tmpfs", fileSystem: around?.kind ?? "",
        source: around?.source ?? "")
      // The mounts are sorted, so that a machine with more mounts than `limit` always has the same volumes.
      for mount in mounts.values.sorted(by: { $0.point < $1.point })
      where mount.point != folder && contains(folder, mount.point)
        && !isHidden(mount.point, in: folder)
      {
        guard volumes.count < limit else { break }
        volumes[mount.point] = MusicVolume(
          path: mount.point, mount: mount.id,
          name: VolumeLabel.of(mount.source) ?? MediumSize.name(of: mount.source)
            ?? lastComponent(mount.point), isStick: mount.isWhole,
          fileSystem: mount.kind, source: mount.source)
      }
    }
    return volumes.values.sorted { $0.path < $1.path }
  }

  /// True if `path` is `folder` or below it. Compares bytes, because it is called for each file, and because names with
  /// different bytes are different names.
  static func contains(_ folder: String, _ path: String) -> Bool {
    guard folder != "/" else { return true }
    let (folder, path) = (folder.utf8, path.utf8)
    guard path.starts(with: folder) else { return false }
    return path.count == folder.count || path.dropFirst(folder.count).first == UInt8(ascii: "/")
  }

  /// True if a name between `folder` and `path` begins with a dot. The search leaves such names out.
  private static func isHidden(_ path: String, in folder: String) -> Bool {
    path.utf8.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/")).contains {
      $0.first == UInt8(ascii: ".")
    }
  }
}

extension MusicVolume: Hashable {
  static func == (left: MusicVolume, right: MusicVolume) -> Bool {
    left.path == right.path && left.mount == right.mount
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(mount)
  }
}

/// Reads the labels of file systems.
enum VolumeLabel {
  /// Maximum number of links that are read in the folder of udev. udev makes one link for each label.
  private static let limit = 100

  /// The label of the file system on a device such as `/dev/sda1`. Nil if the file system has no label. The links are
  /// in memory, so this does not wait for a medium.
  static func of(_ device: String, links folder: String = "/dev/disk/by-label") -> String? {
    guard device.hasPrefix("/dev/"), let links = opendir(folder) else { return nil }
    defer { closedir(links) }
    var target = [CChar](repeating: 0, count: 256)
    for _ in 0..<limit {
      guard let entry = readdir(links) else { return nil }
      let link = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let length = readlink("\(folder)/\(link)", &target, target.count)
      guard length > 0 else { continue }
      let bytes = target[..<length].map { UInt8(bitPattern: $0) }
      let name = String(decoding: bytes, as: UTF8.self).split(separator: "/").last
      if let name, device == "/dev/\(name)" { return unescaped(link) }
    }
    return nil
  }

  /// Decodes a label. If a byte is not permitted in the name of a link, udev writes this byte in hexadecimal, such as
  /// `\x20` for a space. Nil if the label is empty or contains only spaces.
  static func unescaped(_ name: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
        let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains { !$0.isWhitespace } ? text : nil
  }
}

/// The numbers of files on a volume: the number of playable files, and the number of unplayable files for each cause.
/// The size of this value does not depend on the number of files.
struct VolumeCount: Hashable, Sendable {
  /// Number of files that can be played.
  private(set) var playable = 0
  /// True if a part of the volume was not read, because a limit of the search was reached.
  var isCut = false
  private var causes: [UnplayableFile.Cause: Int] = [:]

  /// Creates the numbers of a volume without files.
  init() {}

  /// - Parameter causes: the number of files that cannot be played, for each cause.
  init(playable: Int, causes: [(UnplayableFile.Cause, Int)], isCut: Bool) {
    self.playable = playable
    self.causes = Dictionary(causes, uniquingKeysWith: +)
    self.isCut = isCut
  }

  /// Number of files that cannot be played, without the files that cannot be read.
  var unplayable: Int { causes.reduce(0) { $0 + (Self.isCounted($1.key) ? $1.value : 0) } }
  /// False if a folder or a file could not be read, or if a limit of the search was reached.
  var isComplete: Bool { !isCut && causes[.folder] == nil && causes[.unreadable] == nil }

  /// False for a folder or a file that cannot be read. It can still be playable: perhaps its medium was removed.
  private static func isCounted(_ cause: UnplayableFile.Cause) -> Bool {
    cause != .folder && cause != .unreadable
  }

  mutating func addPlayable() { playable += 1 }

  mutating func add(_ cause: UnplayableFile.Cause) { causes[cause, default: 0] += 1 }

  mutating func add(_ other: VolumeCount) {
    playable += other.playable
    isCut = isCut || other.isCut
    causes.merge(other.causes, uniquingKeysWith: +)
  }

  /// The formats of sound that cannot be played, most frequent first.
  var formats: [ForeignFormat] {
    sorted.compactMap {
      if case .format(let format) = $0.key, format.isSound { format } else { nil }
    }
  }

  private var sorted: [(key: UnplayableFile.Cause, value: Int)] {
    causes.sorted { ($1.value, Self.name($0.key)) < ($0.value, Self.name($1.key)) }
  }

  private static func name(_ cause: UnplayableFile.Cause) -> String {
    switch cause {
    case .format(let format): format.name
    case .empty: "empty"
    case .coding: "unsupported coding"
    case .other: "damaged or unknown"
    case .folder, .unreadable: "unreadable"
    case .link: "links that lead outside"
    }
  }

  // MARK: Words

  /// The reason why files cannot be played, for example `AAC is not supported` or `AAC, WMA and 2 more`. Nil if no file
  /// has an unsupported format of sound.
  var summary: String? {
    let names = formats.map(\.name)
    switch names.count {
    case 0: return nil
    case 1:
      return formats == [.protected]
        ? "they are protected (DRM)" : "\(names[0]) is not supported"
    case 2: return "\(names[0]) and \(names[1]) are not supported"
    default: return "\(names[0]), \(names[1]) and \(names.count - 2) more are not supported"
    }
  }

  /// All causes with their numbers, for example `120 AAC, 3 WMA, 1 empty`.
  var details: String {
    sorted.filter { Self.isCounted($0.key) }.map { "\($0.value) \(Self.name($0.key))" }
      .joined(separator: ", ")
  }
}
