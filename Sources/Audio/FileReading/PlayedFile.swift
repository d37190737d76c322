package import AudioCodecs
internal import Files
internal import Glibc
internal import Synchronization

/// A file that plays. Distinguishes a medium that was removed from a file that is missing or damaged.
package final class PlayedFile: Sendable {
  /// Where the file is.
  package enum Place: Hashable, Sendable {
    /// On a medium that is mounted in this folder.
    case medium(String)
    /// In a folder of the unit. This folder is never a removed medium.
    case folder
    case unknown
  }

  private let path: String
  private let place: Place
  /// The number of the device on which the file was when it was last opened. Nil if it was not opened.
  private let device = Mutex<dev_t?>(nil)

  package init(_ path: String, in place: Place) {
    self.path = path
    self.place = place
  }

  /// Opens the file. Blocks until the medium answers.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  package func open() throws(DecodeError) -> FileByteSource {
    let edge: MediumEdge? = if case .medium(let root) = place { MediumEdge(root) } else { nil }
    let source = try FileByteSource(path: path, edge: edge)
    device.withLock { $0 = source.device }
    return source
  }

  /// True if the medium of the file was removed, even if it is mounted again. If the place of the file is unknown, true
  /// if the file is missing. Blocks while the medium does not answer.
  package var isGone: Bool {
    switch place {
    case .folder: return false
    case .unknown: return Self.device(of: path) == nil
    case .medium(let root):
      let root = root.isEmpty ? "/" : root
      guard let mounted = Self.device(of: root) else { return true }
      // While the file is open, no other device gets the number of its device.
      if let opened = device.withLock({ $0 }) { return mounted != opened }
      // A mount point without a mount is on the device of its parent folder.
      return root != "/" && mounted == Self.device(of: "\(root)/..")
    }
  }

  /// The number of the device to which a path leads. Nil if it leads to nothing.
  private static func device(of path: String) -> dev_t? {
    var status = stat()
    return stat(FileName.cString(path), &status) == 0 ? status.st_dev : nil
  }
}
