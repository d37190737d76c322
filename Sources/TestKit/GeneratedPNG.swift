/// A PNG file without compression. A function of the test returns the colour of each pixel.
public struct GeneratedPNG {
  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// True if the file is interlaced, with the seven passes of Adam7.
  public var isInterlaced = false
  /// The colour of a pixel: red, green, blue, alpha, not premultiplied.
  private let pixel: (_ x: Int, _ y: Int) -> [UInt8]

  /// Creates a picture from a function.
  public init(_ width: Int, _ height: Int, _ pixel: @escaping (_ x: Int, _ y: Int) -> [UInt8]) {
    self.width = width
    self.height = height
    self.pixel = pixel
  }

  /// Creates a picture whose left half is red and whose right half is blue.
  public static func halves(_ width: Int, _ height: Int) -> GeneratedPNG {
    GeneratedPNG(width, height) { x, _ in
      x < width / 2 ? [0xC0, 0x20, 0x20, 0xFF] : [0x20, 0x20, 0xC0, 0xFF]
    }
  }

  /// The bytes of the file.
  public var bytes: [UInt8] {
    let number = { GeneratedPictures.number($0) }
    let header = number(width) + number(height) + [8, 6, 0, 0, isInterlaced ? 1 : 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.stored(rows))
      + Self.chunk("IEND", [])
  }

  /// Returns the bytes of a PNG chunk, with its length and its checksum.
  public static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + body
    return GeneratedPictures.number(body.count) + checked
      + GeneratedPictures.number(Int(GeneratedPictures.crc32(checked)))
  }

  /// The rows of all passes, each with the filter "none".
  private var rows: [UInt8] {
    // For each pass: the first column, the first row, and the steps to the next column and row (PNG specification,
    // 8.2).
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    return passes.flatMap { x, y, across, down -> [UInt8] in
      guard x < width else { return [] }
      return stride(from: y, to: height, by: down).flatMap { row in
        [0] + stride(from: x, to: width, by: across).flatMap { pixel($0, row) }
      }
    }
  }

  /// Returns a zlib stream that contains the data uncompressed, in stored blocks.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = data[...]
    repeat {
      let part = rest.prefix(65535)
      rest = rest.dropFirst(65535)
      let (low, high) = (UInt8(part.count & 255), UInt8(part.count >> 8))
      result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + part
    } while !rest.isEmpty
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return result + GeneratedPictures.number(b << 16 | a)
  }
}
