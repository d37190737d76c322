package import AudioCodecs
internal import Files
package import Glibc

/// The edge of a medium. A link on a medium may lead to any file of the machine. Such files are not the music of the
/// medium, so they are not read.
package struct MediumEdge: Sendable {
  /// What a path on a medium leads to.
  package enum Target: Equatable, Sendable {
    /// A file or folder of the medium, which a scan finds without a link.
    case found
    /// A file or folder of the medium that a scan passes over, because a name on its path is hidden.
    case hidden
    /// A file or folder that is not on the medium.
    case outside
    /// Nothing.
    case missing
    /// The medium answers with this `errno`.
    case unreadable(Int32)
  }

  private static let slash = UInt8(ascii: "/")
  /// `O_PATH` of the kernel, the same on all processors that the unit runs on. Swift does not import it.
  private static let pathOnly: Int32 = 0o10_000_000
  /// Without links.
  private let root: [UInt8]
  /// Nil if the medium does not answer. Then all files are outside.
  private let device: dev_t?

  /// Blocks until the medium answers.
  /// - Parameter root: the folder in which the medium is mounted.
  package init(_ root: [UInt8]) {
    let root = root.isEmpty ? [Self.slash] : root
    var status = stat()
    device = stat(FileName.cString(root), &status) == 0 ? status.st_dev : nil
    self.root = Self.real(root) ?? root
  }

  /// Blocks until the medium answers.
  package init(_ root: String) { self.init(FileName.bytes(root)) }

  /// True if the file or folder with this result of `stat` is on the medium.
  package func contains(_ status: stat) -> Bool { status.st_dev == device }

  /// What a path leads to. Blocks until the medium answers.
  package func target(of path: [UInt8]) -> Target {
    guard let real = Self.real(path) else {
      switch errno {
      case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return leadsToRoot(path) ? .outside : .missing
      // A program may look at all folders of the medium.
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

  /// True if a link without a target names a path on another machine, such as `/home/me/Music`.
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

  /// Opens a regular file of the medium for reading. A link may have changed since the scan, so the file that is opened
  /// is examined, and not its path.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  func open(_ path: [UInt8]) throws(DecodeError) -> Int32 {
    // Opening only the path has no effect on a device.
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
    .refuseFile, at: .byte(0), "the link leads to a place that is not on this medium",
    kind: .outsideMedium)
}
