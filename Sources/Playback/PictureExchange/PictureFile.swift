/// The layout of a result: a header of eight bytes, then the rows from top to bottom without gaps.
/// The header has the width and the height as little-endian numbers of 32 bits. A pixel has four
/// bytes: blue, green, red, alpha, premultiplied.
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

  /// Reads the header of a result. Nil if the size does not match the request, or if the rows are
  /// incomplete.
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

  /// The JPEG of a thumbnail. Nil if the result has another size than it states, or is no JPEG. The
  /// decoder may have been taken over by the picture, so the pixels are as untrusted as the picture.
  public static func thumbnail(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard bytes.count > 4 else { return nil }
    let count = number(bytes, at: 0)
    guard (4...thumbnailBytes).contains(count), count <= bytes.count - 4 else { return nil }
    let jpeg = Array(bytes[4..<(4 + count)])
    guard jpeg.starts(with: [0xFF, 0xD8, 0xFF]), jpeg.suffix(2) == [0xFF, 0xD9] else { return nil }
    return jpeg
  }
}
