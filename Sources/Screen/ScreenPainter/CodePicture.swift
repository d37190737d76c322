internal import CPango
internal import CQREncode
internal import ScreenLayout

/// A QR code.
struct CodePicture {
  /// The width of the light margin around the code, in modules. The standard of QR codes requires this margin.
  private static let margin = 4

  /// The dark modules, row by row.
  private let modules: [Bool]
  /// The number of modules in a row.
  let side: Int

  /// Creates the code of a text. Returns nil if the text is empty, contains a NUL, or has more than 2953 bytes.
  init?(_ text: String) {
    guard !text.isEmpty, !text.utf8.contains(0),
      let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L)
    else { return nil }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    modules = (0..<side * side).map { code.pointee.data[$0] & 1 == 1 }
  }

  subscript(x: Int, y: Int) -> Bool { modules[y * side + x] }

  /// Draws the code with its margin in the middle of a square. All modules have the same number of pixels.
  func draw(_ context: DrawingContext, x: Int, y: Int, size: Int) {
    let whole = side + 2 * Self.margin
    let module = size / whole
    guard module > 0 else { return }
    let inset = (size - module * side) / 2
    for row in 0..<side {
      for column in 0..<side where self[column, row] {
        cairo_rectangle(
          context.cairo, Double(x + inset + column * module), Double(y + inset + row * module),
          Double(module), Double(module))
      }
    }
    context.color(.black)
    context.fill()
  }
}
