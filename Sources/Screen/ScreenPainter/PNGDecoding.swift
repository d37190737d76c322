internal import CPango
internal import Glibc
internal import ScreenLayout

/// Decodes PNG with Cairo's reader, which uses libpng and multiplies the colours with alpha. No
/// further library is needed.
enum PNGDecoding {
  /// The source of the bytes for Cairo's reader.
  private struct Input {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    let deadline: UInt64
    var isLate = false
  }

  /// Decodes a picture and puts it on white, as in print. Without the white, the background of the
  /// screen would be visible through the transparent parts of the cover. The colours of this
  /// background come from the same cover.
  static func decode(_ bytes: [UInt8], _ limits: DecodingLimits) throws(ImageDecodingError)
    -> Surface
  {
    let picture = try decodeKeepingAlpha(bytes, limits)
    let opaque = Surface(.opaque, width: picture.width, height: picture.height)
    opaque.draw { context in
      context.color(.white)
      cairo_paint(context.cairo)
      context.image(picture, x: 0, y: 0)
    }
    return opaque
  }

  /// Decodes a picture with its alpha channel. The result always has four bytes for each pixel,
  /// premultiplied.
  static func decodeKeepingAlpha(_ bytes: [UInt8], _ limits: DecodingLimits)
    throws(ImageDecodingError) -> Surface
  {
    // The first chunk of a PNG file is the header, which has the size of the picture. The size is
    // checked before Cairo allocates the image.
    func number(_ offset: Int) -> Int {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count > 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { throw .damaged }
    let width = number(16)
    let height = number(20)
    guard width > 0, height > 0, width <= limits.side, height <= limits.side,
      width * height <= min(limits.heldPixels, limits.pixels)
    else { throw .tooLarge }

    let (surface, isLate): (OpaquePointer?, Bool) = bytes.withUnsafeBufferPointer { buffer in
      var input = Input(
        bytes: buffer, deadline: nanoseconds() + UInt64(limits.milliseconds) * 1_000_000)
      let surface = cairo_image_surface_create_from_png_stream(read, &input)
      return (surface, input.isLate)
    }
    guard let surface else { throw .damaged }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      throw isLate ? .tookTooLong : .damaged
    }
    let found = Surface(adopting: surface)
    let picture = Surface(.alpha, width: found.width, height: found.height)
    picture.draw { $0.image(found, x: 0, y: 0) }
    return picture
  }

  private static let read: cairo_read_func_t = { closure, target, length in
    guard let closure, let target else { return CAIRO_STATUS_READ_ERROR }
    let input = closure.assumingMemoryBound(to: Input.self)
    let position = input.pointee.position
    guard position + Int(length) <= input.pointee.bytes.count else {
      return CAIRO_STATUS_READ_ERROR
    }
    guard nanoseconds() < input.pointee.deadline else {
      input.pointee.isLate = true
      return CAIRO_STATUS_READ_ERROR
    }
    target.update(from: input.pointee.bytes.baseAddress! + position, count: Int(length))
    input.pointee.position += Int(length)
    return CAIRO_STATUS_SUCCESS
  }

  private static func nanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
