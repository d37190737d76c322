internal import AudioCodecs

/// The bytes of one picture. They are read in pieces, so the picture is never in memory as a whole.
final class PictureStream {
  /// Where the bytes are.
  enum Container {
    /// In a music file. If the picture is cut off, it has fewer bytes than the music file states.
    case musicFile
    /// In a file that contains only the picture.
    case ownFile
  }

  /// Largest size of a piece.
  static let pieceBytes = CancellableFile.pieceBytes

  /// Length of the picture in bytes.
  let size: Int
  private let source: any ByteSource
  private let container: Container
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: pieceBytes, alignment: 16)

  init(_ source: any ByteSource, in container: Container) {
    self.source = source
    self.container = container
    size = Int(source.size)
  }

  deinit { buffer.deallocate() }

  /// The reason why a picture that ends before ``size`` is refused.
  var cutOff: CoverFault {
    switch container {
    case .musicFile: .unreadable("is cut off")
    case .ownFile: .unreadable("was truncated while it was read")
    }
  }

  /// Reads `count` bytes, at most ``pieceBytes``. The bytes are valid until the next call.
  /// - Throws: ``cutOff`` if the picture has fewer bytes.
  func piece(at offset: Int, count: Int) throws(CoverFault) -> UnsafeRawBufferPointer {
    let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    guard try fill(piece, at: offset) == count else { throw cutOff }
    return UnsafeRawBufferPointer(piece)
  }

  /// Reads the whole picture, and returns the key of its bytes.
  func key() throws(CoverFault) -> PictureKey {
    var hash = SHA256()
    for start in stride(from: 0, to: size, by: Self.pieceBytes) {
      hash.add(try piece(at: start, count: min(Self.pieceBytes, size - start)))
    }
    return PictureKey(hash)
  }

  /// Reads the header. The rest of the picture is not read.
  func header(limits: CoverLimits) throws(CoverFault) -> ImageHeader {
    try ImageHeader(
      HeaderBytes { (offset, count) throws(CoverFault) in
        try self.headerBytes(at: offset, count: count)
      }, limits: limits)
  }

  private func headerBytes(at offset: Int, count: Int) throws(CoverFault) -> [UInt8] {
    let count = min(count, size - offset)
    guard count > 0 else { return [] }
    let filled = try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    if filled < count, container == .ownFile { throw cutOff }
    return Array(buffer[..<filled])
  }

  private func fill(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(CoverFault)
    -> Int
  {
    do throws(ByteSourceError) {
      return try source.fill(bytes, at: Int64(offset))
    } catch {
      throw .unreadable("cannot be read: \(error.reason)")
    }
  }
}
