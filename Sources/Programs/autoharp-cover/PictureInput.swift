import Glibc

enum PictureInputError: Error {
  case unreadable, tooLarge
}

/// The picture file.
enum PictureInput {
  /// Maps a file into memory. The pages of the file do not count for the memory limit of the process, because the
  /// kernel can drop them at any time. If the file becomes shorter during decoding, a signal (SIGBUS) ends the process.
  static func map(_ descriptor: Int32, limit: Int) throws(PictureInputError)
    -> UnsafeBufferPointer<UInt8>
  {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable
    }
    guard status.st_size <= limit else { throw .tooLarge }
    // `mmap` refuses a mapping of 0 bytes.
    guard status.st_size > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    let size = Int(status.st_size)
    let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let memory, memory != MAP_FAILED else { throw .unreadable }
    return UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: size)
  }
}
