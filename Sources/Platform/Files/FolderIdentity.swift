package import Glibc

/// Identifies a folder. All paths that lead to the same folder give the same identity.
package struct FolderIdentity: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt

  /// Creates the identity from the result of `stat`.
  package init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}
