internal import CMemfd
internal import Glibc

extension PictureFile {
  /// Creates a file in memory for the result of a request. The size of the file is fixed, so the
  /// writer cannot use more memory than this size.
  /// - Returns: a descriptor; nil if there is not enough memory or no free descriptor.
  public static func create(for request: PictureRequest) -> Int32? {
    let file = memfd_new("picture")
    guard file >= 0 else { return nil }
    guard ftruncate(file, largest(request)) == 0, memfd_add_seals(file, MEMFD_SIZE_SEALS) == 0
    else {
      close(file)
      return nil
    }
    return file
  }

  /// The command of `fcntl` that ``seal(_:)`` uses.
  public static var sealCommand: Int32 { MEMFD_ADD_SEALS }

  /// Makes the file unchangeable for every process. Has no effect if the file is not in memory.
  public static func seal(_ descriptor: Int32) {
    _ = memfd_add_seals(descriptor, MEMFD_SEALS)
  }

  /// True if no process can change the file any more.
  public static func isSealed(_ descriptor: Int32) -> Bool {
    memfd_seals(descriptor) & MEMFD_SEALS == MEMFD_SEALS && memfd_seals(descriptor) >= 0
  }
}

extension PictureFile {
  /// Creates an unchangeable file in memory with these bytes.
  /// - Returns: a descriptor; nil if there is not enough memory or no free descriptor.
  public static func create(holding bytes: [UInt8]) -> Int32? {
    let file = memfd_new("picture")
    guard file >= 0 else { return nil }
    let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == bytes.count, memfd_add_seals(file, MEMFD_SEALS) == 0 else {
      close(file)
      return nil
    }
    return file
  }

  /// Reads a result. Nil if the file is not sealed, if the header does not match the request, or if
  /// `make` returns nil.
  /// - Parameter make: gets the width, the height and the rows.
  public static func read<Picture>(
    _ descriptor: Int32, _ request: PictureRequest,
    _ make: (Int, Int, UnsafeRawBufferPointer) -> Picture?
  ) -> Picture? {
    guard isSealed(descriptor) else { return nil }
    let count = largest(request)
    guard let memory = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      memory != MAP_FAILED
    else { return nil }
    defer { munmap(memory, count) }
    let bytes = UnsafeRawBufferPointer(start: memory, count: count)
    guard let (width, height) = size(bytes, request) else { return nil }
    return make(width, height, UnsafeRawBufferPointer(rebasing: bytes[headerBytes...]))
  }
}
