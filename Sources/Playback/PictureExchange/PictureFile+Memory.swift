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
    guard let file = createEmpty() else { return nil }
    guard bytes.withUnsafeBytes({ append($0, to: file) }), fix(file) else {
      close(file)
      return nil
    }
    return file
  }

  /// Creates an empty file in memory, for a picture that arrives in pieces. The caller closes it.
  /// - Returns: a descriptor; nil if there is not enough memory or no free descriptor.
  public static func createEmpty() -> Int32? {
    let file = memfd_new("picture")
    return file < 0 ? nil : file
  }

  /// Adds a piece. False if there is not enough memory.
  public static func append(_ piece: UnsafeRawBufferPointer, to file: Int32) -> Bool {
    write(file, piece.baseAddress, piece.count) == piece.count
  }

  /// Makes a file in memory unchangeable. False if this is not possible.
  public static func fix(_ file: Int32) -> Bool { memfd_add_seals(file, MEMFD_SEALS) == 0 }

  /// Reads a result. Nil if the file is not sealed, if the header does not match the request, or if
  /// `make` returns nil.
  /// - Parameter make: gets the width, the height and the rows.
  public static func read<Picture>(
    _ descriptor: Int32, _ request: PictureRequest,
    _ make: (Int, Int, UnsafeRawBufferPointer) -> Picture?
  ) -> Picture? {
    withResult(descriptor, request) { bytes in
      guard let (width, height) = size(bytes, request) else { return nil }
      return make(width, height, UnsafeRawBufferPointer(rebasing: bytes[headerBytes...]))
    }
  }

  /// Reads the JPEG of a thumbnail. Nil if the file is not sealed, or has no JPEG.
  public static func readThumbnail(_ descriptor: Int32, _ request: PictureRequest) -> [UInt8]? {
    withResult(descriptor, request) { thumbnail($0) }
  }

  private static func withResult<Picture>(
    _ descriptor: Int32, _ request: PictureRequest, _ body: (UnsafeRawBufferPointer) -> Picture?
  ) -> Picture? {
    guard isSealed(descriptor) else { return nil }
    let count = largest(request)
    guard let memory = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      memory != MAP_FAILED
    else { return nil }
    defer { munmap(memory, count) }
    return body(UnsafeRawBufferPointer(start: memory, count: count))
  }
}
