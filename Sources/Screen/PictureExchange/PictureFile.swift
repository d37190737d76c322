/// The layout of a result: a header of eight bytes, then the rows from top to bottom without gaps.
/// The header has the width and the height as little-endian numbers of 32 bits. A pixel has four
/// bytes: blue, green, red, alpha, premultiplied.
public enum PictureFile {
  /// The size of the header, in bytes.
  public static let headerBytes = 8

  /// The greatest size of a result, in bytes.
  public static func largest(_ request: PictureRequest) -> Int {
    headerBytes + request.side * request.side * 4
  }

  /// The header of a picture.
  public static func header(width: Int, height: Int) -> [UInt8] {
    [width, height].flatMap { side in (0..<4).map { UInt8(truncatingIfNeeded: side >> (8 * $0)) } }
  }

  /// Reads the header of a result. Nil if the size does not match the request, or if the rows are
  /// incomplete.
  public static func size(_ bytes: UnsafeRawBufferPointer, _ request: PictureRequest)
    -> (width: Int, height: Int)?
  {
    guard bytes.count >= headerBytes else { return nil }
    func number(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    let (width, height) = (number(0), number(4))
    guard (1...request.side).contains(width), (1...request.side).contains(height),
      bytes.count >= headerBytes + width * height * 4
    else { return nil }
    return (width, height)
  }
}
