internal import Glibc

/// The state of a mount, as the kernel reports it.
enum MountState {
  /// True if the file system of a folder is read-only. False if this is unknown. Blocks until the medium answers.
  ///
  /// `statvfs` cannot be used: systemd's `ProtectSystem=strict` makes each mount read-only for this program, although
  /// other programs can write.
  static func isReadOnly(_ path: [UInt8]) -> Bool {
    let folder = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return false }
    defer { close(folder) }
    guard let line = lines("/proc/self/fdinfo/\(folder)").first(where: { $0.hasPrefix("mnt_id:") })
    else { return false }
    let mount = line.dropFirst("mnt_id:".count).drop { !$0.isNumber }
    return isReadOnly(mount: String(mount), mounts)
  }

  /// True if the options of the file system contain `ro`. These options are the last field of the line in `mountinfo`.
  /// The options of the mount are in an earlier field and are not used.
  static func isReadOnly(mount: String, _ mounts: [Substring]) -> Bool {
    guard let line = mounts.first(where: { $0.hasPrefix(mount + " ") }),
      let options = line.split(separator: " ").last
    else { return false }
    return options.split(separator: ",").contains("ro")
  }

  private static var mounts: [Substring] { lines("/proc/self/mountinfo") }

  /// The lines of a file in `/proc`. About 256 KB are read at most.
  private static func lines(_ path: String) -> [Substring] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < 256 << 10 {
      let count = read(file, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
