import Foundation
import Glibc

/// A file system in memory, which is mounted at a folder like the file system of a stick.
public final class MemoryFileSystem {
  /// The reason why this process cannot mount file systems; nil if the process can mount them.
  public static let obstacle: String? = {
    do {
      let folder = try TemporaryFolder()
      try MemoryFileSystem(at: folder.url.path).end()
      return nil
    } catch {
      return "\(error)"
    }
  }()

  private let path: String
  private var isMounted = true

  /// Creates the folder if it is missing, and mounts the file system there.
  public init(at path: String, size: String = "4m") throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("stick", path, "tmpfs", 0, "size=\(size)") == 0 else {
      throw Tools.Failure(description: "mount: error \(errno)")
    }
  }

  /// Unmounts the file system.
  public func end() {
    if isMounted { umount2(path, Int32(MNT_DETACH)) }
    isMounted = false
  }

  deinit { end() }
}
