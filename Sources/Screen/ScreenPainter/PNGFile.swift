internal import CPango

/// The error that is thrown if a picture cannot be written.
public struct PNGError: Error, Hashable, Sendable {
  /// Cairo's text for the reason.
  public let reason: String
}

extension Painter {
  /// Writes the current picture to a PNG file. Replaces an existing file. Blocks.
  public func writePNG(to path: String) throws(PNGError) { try canvas.writePNG(to: path) }
}

extension Surface {
  func writePNG(to path: String) throws(PNGError) {
    let status = cairo_surface_write_to_png(pointer, path)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw PNGError(reason: String(cString: cairo_status_to_string(status)))
    }
  }
}
