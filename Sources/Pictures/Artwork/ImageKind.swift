/// The kinds of pictures that every surface can draw.
public enum ImageKind: String, Hashable, Sendable {
  case jpeg, png

  /// The number of bytes at the start of a picture from which its kind is determined.
  static let signatureBytes = 12

  /// Determines the kind from the first ``signatureBytes``. The file's name is ignored.
  /// - Throws: an error such as ``CoverFault/otherKind(_:)`` if the kind is not supported.
  init(_ bytes: [UInt8]) throws(CoverFault) {
    func begins(_ start: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: start)
    }
    func begins(_ start: StaticString, at offset: Int = 0) -> Bool {
      begins(start.withUTF8Buffer { Array($0) }, at: offset)
    }
    if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
      return
    }
    if begins(PNGHeader.signature) {
      self = .png
      return
    }
    guard !bytes.isEmpty else { throw .empty }
    // The bytes are the beginning of a signature, but more bytes are needed.
    if PNGHeader.signature.starts(with: bytes) || [0xFF, 0xD8, 0xFF].starts(with: bytes) {
      throw .truncated
    }
    if begins("GIF8") { throw .otherKind("a GIF") }
    if begins("RIFF"), begins("WEBP", at: 8) { throw .otherKind("a WebP") }
    if begins("ftyp", at: 4) { throw .otherKind("a HEIF, AVIF or video") }
    if begins([0xFF, 0x0A]) || begins("JXL ", at: 4) { throw .otherKind("a JPEG XL") }
    if begins("jP  ", at: 4) || begins([0xFF, 0x4F, 0xFF, 0x51]) {
      throw .otherKind("a JPEG 2000")
    }
    if begins("II*\0") || begins("MM\0*") { throw .otherKind("a TIFF") }
    if begins("BM") { throw .otherKind("a BMP") }
    if begins("%PDF") { throw .otherKind("a PDF") }
    if begins("<") || begins([0xEF, 0xBB, 0xBF, 0x3C]) {
      throw .otherKind("text (SVG or a web page)")
    }
    throw .unknownKind
  }

  /// The kind that a MIME type or file name declares. Nil if it declares neither JPEG nor PNG.
  init?(declared: String) {
    let word = declared.lowercased().split { $0 == "/" || $0 == "." }.last ?? ""
    switch word {
    case "jpeg", "jpg", "pjpeg": self = .jpeg
    case "png", "x-png": self = .png
    default: return nil
    }
  }

  /// The extension of a file name.
  var suffix: String { self == .jpeg ? ".jpg" : ".png" }
}
