public import AudioCodecs
internal import AudioEngine
internal import Glibc
internal import Threads

/// A regular file. Reads with `pread`, and never maps: the page of a file on a stick that is
/// pulled would be a signal, a read is an error.
public final class FileByteSource: ByteSource {
  private let descriptor: Int32
  /// See ``ByteSource/size``.
  public let size: Int64

  /// Opens `path`. A device or a pipe is refused, as it could block for ever.
  /// - Throws: ``DecodeError/Reaction/refuseFile``.
  public init(path: String) throws(DecodeError) {
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    descriptor = open(FileName.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw DecodeError(.refuseFile, at: .byte(0), "cannot be opened: \(systemWords(errno))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw DecodeError(.refuseFile, at: .byte(0), "is not a regular file")
    }
    size = Int64(status.st_size)
  }

  deinit { close(descriptor) }

  /// See ``ByteSource/read(at:into:)``.
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
