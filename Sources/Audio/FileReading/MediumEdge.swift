package import AudioCodecs
internal import Files
package import Glibc

/// Decides which files belong to a medium. A link on a medium can lead to any file of the machine. Files outside the
/// medium are not music of the medium, so they are not read.
package struct MediumEdge: Sendable {
  /// What a path on a medium leads to.
  package enum Target: Equatable, Sendable {
    /// A file or folder of the medium. A scan finds it without the link, at its real path.
    case found
    /// A file or folder of the medium that a scan skips, because its real path contains a hidden name or a system
    /// folder.
    case hidden
    /// A file or folder that is not on the medium.
    case outside
    /// No file and no folder.
    case missing
    /// The path cannot be read. The value is the `errno`.
    case unreadable(Int32)
  }

  private static let slash = UInt8(ascii: "/")
  /// The kernel's `O_PATH`, which Swift does not import. The value is the same on all processors on which the unit
  /// runs.
  private static let pathOnly: Int32 = 0o10_000_000
  /// The folder of the medium, as a path without links.
  private let root: [UInt8]
  /// The device number of the medium. Nil if the medium cannot be read; all files are then outside.
  private let device: dev_t?

  /// Reads the device number of the medium. Blocks until the medium answers.
  /// - Parameter root: the folder in which the medium is mounted.
  package init(_ root: [UInt8]) {
    let root = root.isEmpty ? [Self.slash] : root
    var status = stat()
    device = stat(FileName.cString(root), &status) == 0 ? status.st_dev : nil
    self.root = Self.real(root) ?? root
  }

  /// Reads the device number of the medium. Blocks until the medium answers.
  package init(_ root: String) { self.init(FileName.bytes(root)) }

  /// True if the file or folder with this result of `stat` is on the medium.
  package func contains(_ status: stat) -> Bool { status.st_dev == device }

  /// What the path leads to. Blocks until the medium answers.
  package func target(of path: [UInt8]) -> Target {
    guard let real = Self.real(path) else {
      switch errno {
      case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return leadsToRoot(path) ? .outside : .missing
      // The daemon can read all folders of the medium, so this path leads to another file system.
      case EACCES: return .outside
      default: return .unreadable(errno)
      }
    }
    guard isBelow(real) else { return .outside }
    var status = stat()
    guard lstat(FileName.cString(real), &status) == 0, contains(status) else { return .outside }
    let names = real.dropFirst(root.count).split(separator: Self.slash)
    let isHidden = names.contains { $0.first == UInt8(ascii: ".") || isSystemFolder(Array($0)) }
    return isHidden ? .hidden : .found
  }

  private func isBelow(_ path: [UInt8]) -> Bool {
    guard root != [Self.slash], path.starts(with: root) else { return root == [Self.slash] }
    return path.count == root.count || path[root.count] == Self.slash
  }

  /// True if the path is a link to an absolute path outside the medium. An example is a link that was made on another
  /// machine and leads to `/home/me/Music`.
  private func leadsToRoot(_ link: [UInt8]) -> Bool {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(FileName.cString(link), &target, target.count)
    let path = target[..<max(0, count)].map { UInt8(bitPattern: $0) }
    return path.first == Self.slash && !isBelow(path)
  }

  /// The path without links. Nil on an error, with `errno` set.
  private static func real(_ path: [UInt8]) -> [UInt8]? {
    guard let real = realpath(FileName.cString(path), nil) else { return nil }
    defer { free(real) }
    return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }

  /// Opens a regular file of the medium for reading. A link can have changed since the scan, so this function examines
  /// the opened file and not the path.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  func open(_ path: [UInt8]) throws(DecodeError) -> Int32 {
    // Opening with `O_PATH` does not open the device of a device file, so it has no effect on the device.
    let handle = Glibc.open(FileName.cString(path), Self.pathOnly | O_CLOEXEC)
    guard handle >= 0 else {
      let code = errno
      throw target(of: path) == .outside ? Self.isOutside : FileByteSource.openError(code)
    }
    defer { close(handle) }
    var status = stat()
    guard fstat(handle, &status) == 0 else { throw FileByteSource.openError(errno) }
    guard contains(status) else { throw Self.isOutside }
    try FileByteSource.checkRegular(status)
    return Glibc.open("/proc/self/fd/\(handle)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  }

  package static let isOutside = DecodeError(
    .refuseFile, at: .byte(0), "the target of the link is not on this medium",
    kind: .outsideMedium)
}
