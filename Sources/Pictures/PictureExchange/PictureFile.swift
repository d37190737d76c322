internal import CMemfd
internal import Glibc

/// The layout of a result of `autoharp-cover`: a header of eight bytes, then the rows from top to bottom without gaps.
/// The header contains the width and the height as little-endian numbers of 32 bits. A pixel has four bytes: blue,
/// green, red, alpha, premultiplied.
///
/// The layout of a thumbnail: the number of its bytes as a little-endian number of 32 bits, then a JPEG.
public enum PictureFile {
  /// The size of the header, in bytes.
  public static let headerBytes = 8

  /// The greatest size of the JPEG of a thumbnail, in bytes.
  public static let thumbnailBytes = 16 << 10

  /// The greatest size of a result, in bytes.
  public static func largest(_ request: PictureRequest) -> Int {
    switch request.form {
    case .cover, .shape: headerBytes + request.side * request.side * 4
    case .thumbnail: 4 + thumbnailBytes
    }
  }

  /// The header of a picture.
  public static func header(width: Int, height: Int) -> [UInt8] {
    number(width) + number(height)
  }

  /// The header of a thumbnail.
  public static func header(thumbnailBytes count: Int) -> [UInt8] { number(count) }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// Reads the header of a result. Nil if the size does not match the request, or if the rows are incomplete.
  public static func size(_ bytes: UnsafeRawBufferPointer, _ request: PictureRequest)
    -> (width: Int, height: Int)?
  {
    guard bytes.count >= headerBytes else { return nil }
    let (width, height) = (number(bytes, at: 0), number(bytes, at: 4))
    guard (1...request.side).contains(width), (1...request.side).contains(height),
      bytes.count >= headerBytes + width * height * 4
    else { return nil }
    return (width, height)
  }

  /// The JPEG of a thumbnail. Nil if the stated number of bytes is not possible, or if the bytes are not a JPEG. A
  /// hostile picture can take over the decoder. So the result of the decoder is not trusted either.
  public static func thumbnail(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard bytes.count > 4 else { return nil }
    let count = number(bytes, at: 0)
    guard (4...thumbnailBytes).contains(count), count <= bytes.count - 4 else { return nil }
    let jpeg = Array(bytes[4..<(4 + count)])
    guard jpeg.starts(with: [0xFF, 0xD8, 0xFF]), jpeg.suffix(2) == [0xFF, 0xD9] else { return nil }
    return jpeg
  }

  // MARK: In memory

  /// Creates a file in memory for the result of a request. The size of the file is fixed, so the writer cannot use more
  /// memory than this size.
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

  /// Adds a piece to the end of a file in memory. False if there is not enough memory.
  public static func append(_ piece: UnsafeRawBufferPointer, to file: Int32) -> Bool {
    write(file, piece.baseAddress, piece.count) == piece.count
  }

  /// Makes a file in memory unchangeable. False if this is not possible.
  public static func fix(_ file: Int32) -> Bool { memfd_add_seals(file, MEMFD_SEALS) == 0 }

  /// Reads a result. Nil if the file is not sealed, if the header does not match the request, or if `make` returns nil.
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

  /// Reads the JPEG of a thumbnail. Nil if the file is not sealed, or does not contain a JPEG.
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
