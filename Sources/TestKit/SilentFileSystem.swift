import Foundation
import Glibc

/// A file system that does not answer, like a stick that has failed. Each access to this file system blocks, because it
/// is a FUSE mount whose program reads no requests.
public final class SilentFileSystem {
  /// The reason why this process cannot mount file systems; nil if the process can mount them.
  public static let obstacle: String? = {
    do {
      let folder = try TemporaryFolder()
      try SilentFileSystem(at: folder.url.path).end()
      return nil
    } catch {
      return "\(error)"
    }
  }()

  private let path: String
  private var descriptor: Int32

  /// Mounts the file system at a folder.
  public init(at path: String) throws {
    self.path = path
    descriptor = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw Tools.Failure(description: "/dev/fuse: error \(errno)") }
    let options = "fd=\(descriptor),rootmode=40000,user_id=0,group_id=0"
    guard mount("silent", path, "fuse", 0, options) == 0 else {
      close(descriptor)
      throw Tools.Failure(description: "mount: error \(errno)")
    }
  }

  /// Unmounts the file system. All blocked accesses fail.
  public func end() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    umount2(path, Int32(MNT_DETACH))
  }

  deinit { end() }
}
