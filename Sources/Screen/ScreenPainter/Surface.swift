internal import CPango

/// An image in memory for Cairo. Only one thread at a time may use a surface.
final class Surface {
  enum Format {
    /// Four bytes for each pixel: on little-endian machines blue, green, red and an unused byte.
    case opaque
    /// Four bytes for each pixel: blue, green, red and alpha, premultiplied.
    case alpha
    /// One byte for each pixel: the coverage, which can be painted in any colour.
    case mask

    fileprivate var cairo: cairo_format_t {
      switch self {
      case .opaque: CAIRO_FORMAT_RGB24
      case .alpha: CAIRO_FORMAT_ARGB32
      case .mask: CAIRO_FORMAT_A8
      }
    }
  }

  let pointer: OpaquePointer
  let width: Int
  let height: Int

  /// Creates an image in which all bytes are 0. Sides must be from 1 to 32767.
  init(_ format: Format, width: Int, height: Int) {
    let surface = cairo_image_surface_create(format.cairo, Int32(width), Int32(height))
    // If there is not enough memory, Cairo returns an error object. The program then cannot continue.
    guard let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      fatalError("cairo: no image of \(width) × \(height)")
    }
    pointer = surface
    self.width = width
    self.height = height
  }

  /// Creates an image from pixels of four bytes. `pixels` contains the rows from top to bottom, without gaps. Returns
  /// nil if a side is not from 1 to 4096, or if there are too few bytes.
  convenience init?(
    _ format: Format, width: Int, height: Int, pixels: UnsafeRawBufferPointer
  ) {
    guard (1...4096).contains(width), (1...4096).contains(height),
      pixels.count >= width * height * 4
    else { return nil }
    self.init(format, width: width, height: height)
    withBytes { bytes, stride in
      for row in 0..<height {
        let source = UnsafeRawBufferPointer(
          rebasing: pixels[(row * width * 4)...].prefix(width * 4))
        UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(bytes)[(row * stride)...]
        )
        .copyMemory(from: source)
      }
    }
  }

  deinit { cairo_surface_destroy(pointer) }

  /// The number of bytes in memory.
  var byteCount: Int { height * Int(cairo_image_surface_get_stride(pointer)) }

  /// Calls `body` with the bytes of the image and with the number of bytes in a row. The bytes contain everything that
  /// was drawn before. `body` may change the bytes.
  func withBytes<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>, Int) -> Result) -> Result {
    cairo_surface_flush(pointer)
    let stride = Int(cairo_image_surface_get_stride(pointer))
    let bytes = UnsafeMutableBufferPointer(
      start: cairo_image_surface_get_data(pointer), count: height * stride)
    defer { cairo_surface_mark_dirty(pointer) }
    return body(bytes, stride)
  }

  func draw<Result>(_ body: (DrawingContext) -> Result) -> Result {
    let context = cairo_create(pointer)
    defer { cairo_destroy(context) }
    // `cairo_create` never returns nil. If there is not enough memory, it returns an error object.
    return body(DrawingContext(context!))
  }
}
