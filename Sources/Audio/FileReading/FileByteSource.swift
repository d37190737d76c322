public import AudioCodecs
package import Files
package import Glibc
internal import Threads

/// A regular file. The file is read with `pread` and never mapped. After a stick is removed, access to a mapped page
/// would raise a signal, but a read returns an error.
public final class FileByteSource: ByteSource {
  private let descriptor: Int32
  public let size: Int64
  /// Size and modification time when the file was opened.
  package let stamp: FileStamp
  /// The number of the device on which the file is.
  package let device: dev_t
  /// The short form of ``stamp``. See ``MusicFile/stamp``.
  package var digest: UInt32 { stamp.digest }

  /// The order in which a file is read.
  public enum Access: Sendable {
    /// From the beginning to the end. The kernel reads ahead.
    case sequential
    /// At a few offsets. The kernel does not read ahead. On a USB stick, reading ahead would double the time of a scan.
    case random
  }

  /// Opens `path`. A device or a pipe is refused, because reading it could block for ever. Such a file is not even
  /// opened, because on some devices opening alone has an effect.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  public convenience init(path: String, access: Access = .sequential) throws(DecodeError) {
    try self.init(path: path, access: access, edge: nil)
  }

  /// Opens `path` like ``init(path:access:)``, but only a file of one medium.
  /// - Parameter edge: the file must be on this medium. Nil if the file can be anywhere.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  package convenience init(
    path: String, access: Access = .sequential, edge: MediumEdge?
  ) throws(DecodeError) {
    if let edge {
      try self.init(descriptor: edge.open(FileName.bytes(path)))
    } else {
      let name = FileName.cString(path)
      var status = stat()
      if stat(name, &status) == 0 { try Self.checkRegular(status) }
      // After the call of `stat`, the path can lead to another file, such as a pipe. Without O_NONBLOCK, opening a pipe
      // would wait until a process opens the other end of the pipe.
      try self.init(descriptor: open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }
    // A failure of this call does not matter: the kernel then reads ahead, which only takes longer.
    if access == .random { posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM) }
  }

  /// Opens a file that a scan has just examined and found to be regular. The kernel does not read ahead.
  /// - Parameters:
  ///   - path: as bytes, without NUL.
  ///   - edge: the file must be on this medium. Nil if the file can be anywhere.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  package convenience init(scanned path: [UInt8], edge: MediumEdge? = nil) throws(DecodeError) {
    if let edge {
      try self.init(descriptor: edge.open(path))
    } else {
      try self.init(descriptor: open(FileName.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
  }

  /// Takes ownership of `descriptor`, which is the result of `open`. If this result is negative, `errno` contains the
  /// reason.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  package init(descriptor: Int32) throws(DecodeError) {
    guard descriptor >= 0 else { throw Self.openError(errno) }
    var status = stat()
    do throws(DecodeError) {
      guard fstat(descriptor, &status) == 0 else { throw Self.openError(errno) }
      try Self.checkRegular(status)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    stamp = FileStamp(status)
    device = status.st_dev
    size = stamp.size
  }

  static func openError(_ code: Int32) -> DecodeError {
    let kind: DecodeError.Kind =
      switch code {
      case ENOENT: .missingFile
      case EACCES, EPERM: .notPermitted
      default: .unreadable
      }
    return DecodeError(
      .refuseFile, at: .byte(0), "cannot be opened: \(systemWords(code))", kind: kind)
  }

  static func checkRegular(_ status: stat) throws(DecodeError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DecodeError(.refuseFile, at: .byte(0), "is not a regular file", kind: .irregularFile)
    }
  }

  deinit { close(descriptor) }

  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, Int(offset))
      if count >= 0 { return count }
      let code = errno
      if code != EINTR {
        throw ByteSourceError(offset: offset, code: code, reason: systemWords(code))
      }
    }
  }
}
